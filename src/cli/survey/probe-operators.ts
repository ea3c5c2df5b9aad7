import type { WireContent } from '../../contract/content.ts';
import type { OperatorSupport } from '../infer/inference-rule.ts';
import { type Address, addressKey, fieldsSeen, observeItems } from '../infer/observations.ts';
import type { Shape } from '../infer/shapes.ts';
import { titlesOf } from '../infer/title.ts';
import type { SurveyClient } from './survey-client.ts';

/** A word that no content contains: a filter by it has no results. */
export const UNUSED_WORD = 'zq9xkv7jwq2';
const MAX_FIELDS = 150;
/** §4.1: shapes whose fields support neither `contains` nor `eq`. */
const NO_OPERATORS: readonly Shape[] = [
  'media',
  'list of texts',
  'list of blocks',
  'list of groups',
  'group',
];

/**
 * Finds out which filter operators the service supports on string fields: they differ by type (§4.1; flexible
 * text has no `eq`, a select no `contains`). A supported filter has no results here; an unsupported one is
 * rejected or ignored. The specification does not guarantee that, so it is first verified on fields of known type.
 */
export async function probeOperators(
  client: SurveyClient,
  items: readonly WireContent[],
): Promise<Map<string, OperatorSupport>> {
  const fields = filterableFields(items);
  const isSupported = async ({ model, path }: Address, operator: 'contains' | 'eq') =>
    (await client.count({ model, [`${path}[${operator}]`]: UNUSED_WORD })) === 0;

  const known = fields.find(
    ({ shape, address }) => shape && NO_OPERATORS.includes(shape) && !address.inRepeat,
  );
  const title = findTitleField(items);
  if (!known || !title) return new Map();
  const followsSpec =
    (await isSupported(title, 'contains')) &&
    (await isSupported(title, 'eq')) &&
    !(await isSupported(known.address, 'contains')) &&
    !(await isSupported(known.address, 'eq'));
  if (!followsSpec) return new Map();

  const stringFields = fields.filter(({ shape }) => shape === 'text').slice(0, MAX_FIELDS);
  const results = stringFields.map(async ({ address }): Promise<[string, OperatorSupport]> => {
    const [contains, eq] = await Promise.all([
      address.inRepeat ? undefined : isSupported(address, 'contains'),
      isSupported(address, 'eq'),
    ]);
    return [addressKey(address), { contains, eq }];
  });
  return new Map(await Promise.all(results));
}

/** The fields that filters can address, with the shape of their values if all have the same. */
function filterableFields(items: readonly WireContent[]) {
  return [...fieldsSeen(observeItems(items))].flatMap(({ address, shapes }) => {
    const [shape, ...others] = shapes.keys();
    return address ? [{ address, shape: others.length === 0 ? shape : undefined }] : [];
  });
}

/** A field that is certainly of type text: the title of a model. */
function findTitleField(items: readonly WireContent[]): Address | undefined {
  for (const model of new Set(items.map(({ _model }) => _model))) {
    const [path] = titlesOf(items.filter(({ _model }) => _model === model));
    if (path !== undefined) return { model, path, inRepeat: false };
  }
  return undefined;
}
