import type { WireContent } from '../../contract/content.ts';
import { addressKey, observeItems } from '../infer/infer.ts';
import type { Shape } from '../infer/shapes.ts';
import type { Address, Group } from '../infer/sightings.ts';
import { titlesOf } from '../infer/title.ts';
import type { Proof } from '../infer/verdict.ts';
import type { Service } from './survey-client.ts';

/** A word that stands in no content: whoever filters by it finds nothing. */
const NOWHERE = 'zq9xkv7jwq2';
const MOST_FIELDS = 150;
/** §4.1: shapes whose fields take neither `contains` nor `eq`. */
const TAKES_NEITHER: readonly Shape[] = [
  'media',
  'list of texts',
  'list of blocks',
  'list of groups',
  'group',
];

/**
 * Asks which operators the service takes on fields of texts, for §4.1 allows each kind of text
 * others: flexible text no `eq`, a select no `contains`. A filter that is taken finds nothing; one that
 * is not is refused or has no effect. The specification does not say that the service keeps to its table
 * in this way, so fields whose kind is clear are asked first, and unless they answer by it nothing is proved.
 */
export async function prove(service: Service, items: readonly WireContent[]): Promise<Map<string, Proof>> {
  const { models, sets } = observeItems(items);
  const fields = [...models.values(), ...sets.values()].flatMap(fieldsIn);
  const takes = async ({ model, path }: Address, operator: 'contains' | 'eq') =>
    (await service.count({ model, [`${path}[${operator}]`]: NOWHERE })) === 0;

  const clear = fields.find(
    ({ shape, address }) => shape && TAKES_NEITHER.includes(shape) && !address.inRepeat,
  );
  const title = titleAddress(items);
  if (!clear || !title) return new Map();
  const keepsToTheTable =
    (await takes(title, 'contains')) &&
    (await takes(title, 'eq')) &&
    !(await takes(clear.address, 'contains')) &&
    !(await takes(clear.address, 'eq'));
  if (!keepsToTheTable) return new Map();

  const asked = fields.filter(({ shape }) => shape === 'text').slice(0, MOST_FIELDS);
  const proofs = asked.map(async ({ address }): Promise<[string, Proof]> => {
    const [contains, eq] = await Promise.all([
      address.inRepeat ? undefined : takes(address, 'contains'),
      takes(address, 'eq'),
    ]);
    return [addressKey(address), { contains, eq }];
  });
  return new Map(await Promise.all(proofs));
}

interface Askable {
  readonly address: Address;
  /** What all its values look like; absent where they differ or there are none. */
  readonly shape: Shape | undefined;
}

function fieldsIn(group: Group): Askable[] {
  return [...group.values()].flatMap((seen) => {
    const [shape, ...others] = seen.shapes.keys();
    const inner = fieldsIn(seen.entries);
    if (!seen.address) return inner;
    return [{ address: seen.address, shape: others.length === 0 ? shape : undefined }, ...inner];
  });
}

/** A text for sure: the title of some model. */
function titleAddress(items: readonly WireContent[]): Address | undefined {
  for (const model of new Set(items.map(({ _model }) => _model))) {
    const [path] = titlesOf(items.filter(({ _model }) => _model === model));
    if (path !== undefined) return { model, path, inRepeat: false };
  }
  return undefined;
}
