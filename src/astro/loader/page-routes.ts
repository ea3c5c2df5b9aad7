import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Files in `src/pages` that are routes. Astro ignores files and folders whose name begins with `_`. */
const PAGE = /\.(?:astro|md|mdx|html|ts|js|mts|mjs)$/;

/** How many segments of an id the file-based routes of a site accept: 1 for `[id].astro`, any number for `[...id].astro`. */
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
