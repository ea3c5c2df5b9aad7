import type { Field } from '../../../src/models/field-types/index.ts';
import type { Fields, ModelMap } from '../../../src/models/types.ts';
import { own, type Values } from './reference-seed.ts';

type Path = string[];

export function parseSelect(text: string): Path[] {
  return text.split(',').map((path) => path.split('.'));
}

/** §4.1: of a content object only what is listed; what does not exist is passed over. */
export function selectContent(models: ModelMap, content: Values, paths: Path[]): Values {
  const fields = own(models, content._model as string) ?? {};
  return selectProperties(models, (luid) => own(fields, luid), content, paths);
}

function selectGroup(models: ModelMap, fields: Fields, group: Values, paths: Path[]): Values {
  return selectProperties(models, (luid) => own(fields, luid), group, paths);
}

function selectProperties(
  models: ModelMap,
  fieldOf: (luid: string) => Field | undefined,
  values: Values,
  paths: Path[],
): Values {
  const selected = Object.entries(values).flatMap(([luid, value]): [string, unknown][] => {
    const here = paths.filter((path) => path[0] === luid);
    if (here.some((path) => path.length === 1)) return [[luid, value]];
    const inside = here.map((path) => path.slice(1));
    const part = inside.length > 0 ? selectInside(models, luid, fieldOf(luid), value, inside) : undefined;
    return part === undefined ? [] : [[luid, part]];
  });
  return Object.fromEntries(selected);
}

/** Dots lead into references, repeats and field sets, and into nothing else. */
function selectInside(
  models: ModelMap,
  luid: string,
  field: Field | undefined,
  value: unknown,
  paths: Path[],
): unknown {
  const isContent = luid === '_prev' || luid === '_next' || field?.type === 'reference';
  if (isContent) return isObject(value) ? selectContent(models, value, paths) : value;
  if (field?.type === 'field_set') {
    return isObject(value) ? selectGroup(models, field.fields as Fields, value, paths) : value;
  }
  if (field?.type === 'repeat') {
    return (value as Values[]).map((entry) => selectGroup(models, field.fields as Fields, entry, paths));
  }
  return undefined;
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null;
}
