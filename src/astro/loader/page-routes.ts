import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Files of `src/pages` that are routes: Astro leaves out those whose name begins with `_`. */
const PAGE = /\.(?:astro|md|mdx|html|ts|js|mts|mjs)$/;

/** How many segments of an id the pages of a site can take, by their file names: 1 for `[id].astro`, all for `[...id]`. */
export function maxIdSegmentsOfPages(srcDir: URL): number {
  const pages = fileURLToPath(new URL('pages/', srcDir));
  const files = readdirSync(pages, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => PAGE.test(file) && !file.split('/').some((part) => part.startsWith('_')));
  const counts = files.map((file) =>
    file.includes('[...') ? Number.POSITIVE_INFINITY : (file.match(/\[/g)?.length ?? 0),
  );
  return Math.max(0, ...counts);
}
