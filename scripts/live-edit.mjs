import { setTimeout } from 'node:timers/promises';

/** Some pages that show the article of the edit, and some that do not. */
const PAGES = [
  '/articles/harbour-at-dusk/',
  '/',
  '/articles/',
  '/authors/onishi/',
  '/categories/food/',
  '/articles/one-car-train/',
  '/authors/tanaka/',
  '/events/',
  '/gallery/',
  '/shop/',
  '/en/articles/harbour-at-dusk/',
];
const [EDITED] = PAGES;
/** How long to wait for the edit: longer than the `refresh` interval of examples/live. */
const TIME_LIMIT_MS = 30_000;
const STEP_MS = 100;

/** The URL of the site of `npm run start:live`, if it is running. Only pages in a route cache have this header. */
export async function findLiveSite(url = 'http://localhost:4321') {
  const response = await fetch(url + EDITED).catch(() => undefined);
  return response?.headers.has('x-astro-cache') ? url : undefined;
}

/** Edits the article, waits until its page shows that, and prints which pages were rendered again. */
export async function showLiveEdit(url, edit) {
  const get = async (path) => {
    const response = await fetch(url + path);
    return { cached: response.headers.get('x-astro-cache'), html: await response.text() };
  };
  console.log(`\n1. Request ${PAGES.length} pages of ${url}, so that they are cached`);
  for (const path of PAGES) await get(path);
  const start = performance.now();
  const lead = await edit();
  console.log(`\n2. Edit the lead of the article\n   now       ${lead}`);
  console.log('\n3. Wait until its page shows it …');
  let page = await get(EDITED);
  while (!page.html.includes(lead)) {
    if (performance.now() - start > TIME_LIMIT_MS)
      throw new Error(`${url}${EDITED} still shows the old lead`);
    await setTimeout(STEP_MS);
    page = await get(EDITED);
  }
  console.log(`   after     ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  console.log(`   ${page.cached.padEnd(9)} ${EDITED}`);
  for (const path of PAGES.slice(1)) console.log(`   ${(await get(path)).cached.padEnd(9)} ${path}`);
  console.log('\nMISS: rendered again. HIT: from the cache, because nothing on the page changed.');
}
