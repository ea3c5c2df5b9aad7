// npm start: the emulator on its sample space, the playground built from it, and the built site served.
// With LUID_BASE_URL and LUID_API_KEY set, that service is used instead of the emulator.
import { join } from 'node:path';
import { root } from './process.mjs';
import { startSample } from './sample.mjs';

await import('./build.mjs');
const emulator = process.env.LUID_BASE_URL ? undefined : await startService();
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

// Ctrl-C may arrive twice: from the terminal, and handed on by the Node that started this one.
let ending = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    if (ending) return;
    ending = true;
    await Promise.all([server.stop(), emulator?.close()]);
    process.exit(0);
  });
}

/** One address for every start, so that what was cached of it stays of use; another if it is taken. */
async function startService() {
  const sample = await startSample({ port: 4320 }).catch(() => startSample());
  Object.assign(process.env, sample.env);
  return sample;
}
