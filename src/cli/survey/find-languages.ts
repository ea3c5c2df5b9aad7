import type { WireContent } from '../../contract/content.ts';
import type { Service } from './survey-client.ts';

export interface Languages {
  readonly main: string;
  readonly sub: readonly string[];
}

const ITEMS_A_MODEL = 8;
const MOST_ITEMS = 80;

/**
 * The languages that some items of each model say they have (§2.2 `_langs`, which only a read by id
 * gives); `undefined` where none says any.
 */
export async function findLanguages(
  service: Service,
  models: readonly (readonly WireContent[])[],
): Promise<Languages | undefined> {
  const asked = models.flatMap((items) => spread(items, ITEMS_A_MODEL)).slice(0, MOST_ITEMS);
  const answers = await Promise.all(
    asked.map(({ _id }) => service.get(_id, { depth: 0, include: '_langs' })),
  );
  const langs = answers.flatMap((item) => item?._langs ?? []);
  const [main] = langs.map(({ current }) => current);
  if (main === undefined) return undefined;
  const keys = new Set(langs.flatMap(({ available }) => available));
  keys.delete(main);
  return { main, sub: [...keys].sort() };
}

/** So many of the list, at even distances. */
function spread<T>(list: readonly T[], count: number): T[] {
  if (list.length <= count) return [...list];
  return Array.from(
    { length: count },
    (_, index) => list[Math.round((index * (list.length - 1)) / (count - 1))] as T,
  );
}
