// npm start: the emulator on its sample space, the playground built from it, and the built site served.
// With LUID_BASE_URL and LUID_API_KEY set, that service is used instead of the emulator.
import { join } from 'node:path';
import { root } from './process.mjs';

await import('./build.mjs');
const emulator = process.env.LUID_BASE_URL ? undefined : await startSample();
process.env.ASTRO_TELEMETRY_DISABLED = '1';
const { build, preview } = await import('astro');
const site = join(root, 'playground');

await build({ root: site });
const server = await preview({ root: site, server: { host: 'localhost', port: 4321 }, logLevel: 'warn' });
console.log(`
  The playground  http://localhost:${server.port}
  The service     ${process.env.LUID_BASE_URL}
  Ctrl-C ends ${emulator ? 'both' : 'it'}.
`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await Promise.all([server.stop(), emulator?.close()]);
    process.exit(0);
  });
}

/** The emulator in this process, with its addresses and key where the playground looks for them. */
async function startSample() {
  const { sampleSeed, startEmulator } = await import('../dist/emulator/index.js');
  const { seed, directory } = sampleSeed();
  const running = await startEmulator(seed, { directory });
  process.env.LUID_BASE_URL = running.baseUrl;
  process.env.LUID_ASSETS_URL = running.assetsUrl;
  process.env.LUID_API_KEY = seed.keys.find(({ reads }) => reads === 'published').key;
  process.env.LUID_DRAFT_API_KEY = seed.keys.find(({ reads }) => reads === 'drafts').key;
  return running;
}
