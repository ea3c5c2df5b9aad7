import type { Evidence } from '../../../src/cli/infer/infer.ts';
import type { Field } from '../../../src/models/field-types/index.ts';
import type { Fields, ModelMap } from '../../../src/models/types.ts';

export interface Compared {
  /** `article.seo.description`. */
  readonly place: string;
  readonly samples: number;
  readonly same: boolean;
  readonly doubted: boolean;
  readonly truth: string;
  readonly inferred: string;
}

/** Each field of the true map, however deep, beside what was inferred of it. */
export function compareModels(
  truth: ModelMap,
  inferred: ModelMap,
  evidence: ReadonlyMap<string, Evidence>,
): Compared[] {
  return Object.entries(truth).flatMap(([model, fields]) => [
    ...compareFields(model, fields, own(inferred, model) ?? {}, evidence),
    compareTitle(model, fields, own(inferred, model) ?? {}, evidence),
  ]);
}

function compareFields(
  place: string,
  truth: Fields,
  inferred: Fields,
  evidence: ReadonlyMap<string, Evidence>,
  outerDoubted = false,
): Compared[] {
  return Object.entries(truth).flatMap(([luid, field]) => {
    const at = `${place}.${luid}`;
    const found = own(inferred, luid);
    const { filled = 0, doubt, note } = evidence.get(at) ?? {};
    const [is, looks] = [nameOf(field as Field), found ? nameOf(found as Field) : 'nothing'];
    const compared = { place: at, samples: filled, same: is === looks, truth: is, inferred: looks };
    // What a group holds is in doubt where the group is.
    const doubted = doubt !== undefined || (note !== undefined && filled === 0) || (!found && outerDoubted);
    const inner = (name: string, fields: Fields, others: Fields | undefined) =>
      compareFields(name, fields, others ?? {}, evidence, doubted);
    const { fields, sets } = field as { fields?: Fields; sets?: ModelMap };
    const { fields: otherFields, sets: otherSets } = (found ?? {}) as { fields?: Fields; sets?: ModelMap };
    return [
      { ...compared, doubted },
      ...(fields ? inner(at, fields, otherFields) : []),
      ...Object.entries(sets ?? {}).flatMap(([set, fields]) =>
        inner(`${at}.${set}`, fields, otherSets?.[set]),
      ),
    ];
  });
}

/** A field in one line, without what no content can show (`required`) and what is compared by itself. */
function nameOf(field: Field): string {
  const { type } = field;
  if (type === 'reference') return `${type} ${[field.model ?? 'any'].flat().sort().join()}`;
  if (type === 'select' || type === 'multi_select')
    return `${type} ${[...(field.options ?? [])].sort().join()}`;
  if (type === 'combination') return `${type} ${Object.keys(field.sets).sort().join()}`;
  return type;
}

function compareTitle(
  model: string,
  truth: Fields,
  inferred: Fields,
  evidence: ReadonlyMap<string, Evidence>,
): Compared {
  const [is, looks] = [titleOf(truth), titleOf(inferred)];
  const { filled = 0, doubt } = evidence.get(`${model}.${looks}`) ?? {};
  return {
    place: `${model}'s title`,
    samples: filled,
    same: is === looks,
    doubted: doubt !== undefined,
    truth: is,
    inferred: looks,
  };
}

function titleOf(fields: Fields): string {
  const entries = Object.entries(fields) as [string, Field][];
  const marked = entries.find(([, field]) => field.type === 'text' && field.title);
  return (marked ?? entries.find(([, { type }]) => type === 'text'))?.[0] ?? 'none';
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
