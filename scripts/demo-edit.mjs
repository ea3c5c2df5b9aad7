// npm run demo:edit: builds the playground, edits one article at the emulator, builds again, and tells what
// was fetched and which pages were rendered. An emulator that npm start has started is used, else an own one.
import { join } from 'node:path';
import { capture, root } from './process.mjs';
import { SAMPLE_PORT, startSample } from './sample.mjs';

const ARTICLE = 301;
/** So many pages are worth a line each. */
const FEW = 50;

if (process.env.LUID_BASE_URL) {
  console.error('demo:edit changes content, so it works with the emulator only: unset LUID_BASE_URL.');
  process.exit(1);
}
await import('./build.mjs');
const emulator = await startSample({ port: SAMPLE_PORT }).catch(() => runningSample());
try {
  tell('The first build', await build());
  const lead = await edit();
  console.log(`\nEdited article ${ARTICLE}: ${lead}`);
  tell('The build after it', await build());
} finally {
  await emulator.close();
}

/** The emulator that has the port already. */
function runningSample() {
  const origin = `http://127.0.0.1:${SAMPLE_PORT}`;
  console.log(`Using the emulator at ${origin}.`);
  const env = {
    LUID_BASE_URL: `${origin}/v1`,
    LUID_ASSETS_URL: `${origin}/assets`,
    LUID_API_KEY: 'published-key',
    LUID_DRAFT_API_KEY: 'draft-key',
  };
  return { env, close: async () => {} };
}

async function edit() {
  const { createClient } = await import('../dist/client/index.js');
  const { LUID_BASE_URL: baseUrl, LUID_DRAFT_API_KEY: apiKey } = emulator.env;
  const { contents } = createClient({
    baseUrl,
    apiKey,
    models: { article: { lead: { type: 'multiline' } } },
  });
  const lead = `漁を終えた船が戻るころ、港はいちばん静かになる。（${new Date().toLocaleTimeString('ja')}の改稿）`;
  await contents.patch('article', ARTICLE, { fields: { lead }, published: true });
  return lead;
}

async function build() {
  const env = { ...emulator.env, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };
  const { code, output } = await capture('astro', ['build'], { cwd: join(root, 'playground'), env });
  if (code !== 0) throw new Error(output);
  return output;
}

function tell(title, output) {
  const lines = output.split('\n');
  const fetched = lines.flatMap((line) => /\[astro-luid\] (.*\brequests?\b.*)/.exec(line)?.[1] ?? []);
  const pages = lines.filter((line) => /[├└]─ \//.test(line));
  const rendered = pages.filter((line) => !line.includes('(restored)'));
  console.log(`\n${title}`);
  for (const line of fetched) console.log(`  fetched   ${line}`);
  console.log(`  rendered  ${rendered.length} of ${pages.length} pages`);
  if (rendered.length > FEW) return;
  for (const line of rendered)
    console.log(`            ${/─ (\/\S*)/.exec(line)?.[1].replace('index.html', '')}`);
}
