// npm run demo:edit: builds the playground, edits an article in the emulator, builds again, and prints what was
// fetched and which pages were rendered. If npm start is running, uses its emulator and updates its site. If
// npm run start:live is running, edits there, and prints which of its pages were rendered again.
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findLiveSite, showLiveEdit } from './live-edit.mjs';
import { capture, root } from './process.mjs';
import { findRunningSample, SAMPLE_PORT, startSample } from './sample.mjs';

const ARTICLE = { id: 301, path: '/articles/harbour-at-dusk/' };
const playground = join(root, 'playground');
/** Not the folder that npm start serves, which must not be replaced while it is served. */
const result = join(playground, 'dist-demo');

if (process.env.LUID_BASE_URL) {
  console.error('demo:edit changes content, so it runs with the emulator only: unset LUID_BASE_URL.');
  process.exit(1);
}
await import('./build.mjs');
const { createClient } = await import('../dist/client/index.js');
const runningEnv = await findRunningSample();
const running = runningEnv && { env: runningEnv };
const emulator = running ?? (await startSample({ port: SAMPLE_PORT }).catch(() => startSample()));
const origin = new URL(emulator.env.LUID_BASE_URL).origin;
console.log(running ? `Using the emulator of npm start at ${origin}` : `Using an emulator at ${origin}`);
const liveSite = running && (await findLiveSite());
if (liveSite) {
  await showLiveEdit(liveSite, edit);
  process.exit();
}
try {
  console.log('\n1. Build the playground …');
  printSummary(await build());
  console.log(`\n2. Edit the lead of article ${ARTICLE.id}, ${ARTICLE.path}`);
  console.log(`   now       ${await edit()}`);
  console.log('\n3. Build it again …');
  for (const path of printSummary(await build())) console.log(`             ${path}`);
  console.log('\nThese pages show the article, or have no cacheKey (the 404 page and the feeds).');
  if (running && publish()) console.log(`The site of npm start is updated: reload ${ARTICLE.path} there.`);
} finally {
  rmSync(result, { recursive: true, force: true });
  await emulator.close?.();
}

function articles({ LUID_BASE_URL: baseUrl, LUID_DRAFT_API_KEY: apiKey }) {
  const models = { article: { lead: { type: 'multiline' } } };
  return createClient({ baseUrl, apiKey, models, network: { retries: 0 } }).contents;
}

async function edit() {
  const lead = `漁を終えた船が戻るころ、港はいちばん静かになる。（${new Date().toLocaleTimeString('ja')}の改稿）`;
  await articles(emulator.env).patch('article', ARTICLE.id, { fields: { lead }, published: true });
  return lead;
}

async function build() {
  const env = { ...emulator.env, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };
  const { code, output } = await capture('astro', ['build', '--outDir', result], { cwd: playground, env });
  if (code !== 0) throw new Error(output);
  return output;
}

/** Copies the pages to the folder that npm start serves. */
function publish() {
  const served = join(playground, 'dist/client');
  if (!existsSync(served)) return false;
  cpSync(join(result, 'client'), served, { recursive: true });
  return true;
}

/** Prints the totals of the loaders' log lines (one per space and language), and returns the rendered pages. */
function printSummary(output) {
  const sum = (pattern, text = output) =>
    [...text.matchAll(pattern)].reduce((total, [, number]) => total + Number(number.replaceAll(',', '')), 0);
  // The lines about the replica, not those about the entries of each collection.
  const synced = [...output.matchAll(/items?, ([^;]*);/g)].map(([, what]) => what).join('\n');
  const changes = ['added', 'changed', 'removed'].flatMap((kind) => {
    const count = sum(new RegExp(`([\\d,]+) ${kind}\\b`, 'g'), synced);
    return count > 0 ? `${count} ${kind}` : [];
  });
  const pages = [...output.matchAll(/[├└]─ (\/\S*)(.*)/g)];
  const rendered = pages.filter(([, , rest]) => !rest.includes('(restored)'));
  console.log(
    `   fetched   ${sum(/([\d,]+) requests? \(/g)} requests, for ${sum(/([\d,]+) items?,/g)} items in 2 languages: ` +
      `${changes.join(', ') || 'nothing changed'} since the last build`,
  );
  console.log(`   rendered  ${rendered.length} of ${pages.length} pages`);
  return rendered.map(([, path]) => path.replace('index.html', '')).sort();
}
