import { limitList, pluralize } from '../../shared/format-count.ts';
import { printable } from '../../shared/printable.ts';
import type { ContentWarning } from './content-warning.ts';

/** Characters that are reserved in URLs. */
const RESERVED = /[#?%]/;
const MAX_EXAMPLES = 3;
const MAX_ID_LENGTH = 80;

/** Warnings about ids whose pages cannot be built or linked to. */
export function idWarnings(
  collection: string,
  ids: readonly string[],
  /** The most path segments of an id that a route of the site accepts. */
  maxSegments: number,
): ContentWarning[] {
  const reserved = ids.filter((id) => RESERVED.test(id));
  const long = ids.filter((id) => id.includes('/') && id.split('/').length > maxSegments);
  return [
    ...warningAbout(
      collection,
      reserved,
      'with "#", "?" or "%", which are reserved in URLs: such pages cannot be linked to or built',
      'Correct the field, or compute the id: `id: (item) => …`',
    ),
    ...warningAbout(
      collection,
      long,
      'with "/", which no route of the site accepts: `[id].astro` fails with "Missing parameter"',
      'Name the route `[...id].astro`',
    ),
  ];
}

function warningAbout(
  collection: string,
  ids: readonly string[],
  problem: string,
  fix: string,
): ContentWarning[] {
  if (ids.length === 0) return [];
  const examples = limitList(
    ids.map((id) => printable(JSON.stringify(id), MAX_ID_LENGTH)),
    MAX_EXAMPLES,
  );
  const subject = pluralize(ids.length, 'entry has an id', 'entries have ids');
  return [
    {
      key: `${collection} ${problem}`,
      line: `${collection}: ${subject} ${problem}: ${examples.join(', ')}. ${fix}`,
    },
  ];
}
