import { printable } from '../../printable.ts';
import { counted, firstFew } from './content-errors.ts';
import type { Finding } from './content-warning.ts';

/** Characters that mean something else in a URL. */
const RESERVED = /[#?%]/;
const EXAMPLES = 3;

/** Warnings about ids whose pages cannot be built or linked to. */
export function idFindings(
  collection: string,
  ids: readonly string[],
  /** How many segments of an id the routes of the site can take. */
  mostSegments: number,
): Finding[] {
  const reserved = ids.filter((id) => RESERVED.test(id));
  const long = ids.filter((id) => id.split('/').length > mostSegments);
  return [
    ...findingOf(
      collection,
      reserved,
      'with "#", "?" or "%", which have a meaning of their own in URLs: such pages cannot be linked to, or built',
      'Correct the field in the entry, or make the ids in code: `id: (item) => …`',
    ),
    ...findingOf(
      collection,
      long,
      'with "/", which no route of the site takes: `[id].astro` fails with "Missing parameter"',
      'Name the route `[...id].astro`',
    ),
  ];
}

function findingOf(collection: string, ids: readonly string[], problem: string, fix: string): Finding[] {
  if (ids.length === 0) return [];
  const shown = firstFew(
    ids.map((id) => printable(JSON.stringify(id), 80)),
    EXAMPLES,
  );
  const what = counted(ids.length, 'entry has an id', 'entries have ids');
  return [
    {
      key: `${collection} ${problem}`,
      line: `${collection}: ${what} ${problem}: ${shown.join(', ')}. ${fix}`,
    },
  ];
}
