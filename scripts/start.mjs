// npm start: starts the emulator with its sample space, builds the playground and serves it.
// If LUID_BASE_URL and LUID_API_KEY are set, uses that service instead of the emulator.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from './free-port.mjs';
import { root } from './process.mjs';
import { SAMPLE_PORT, startSample } from './sample.mjs';

await import('./build.mjs');
const emulator = process.env.LUID_BASE_URL ? undefined : await startService();
process.env.ASTRO_TELEMETRY_DISABLED = '1';
process.env.LUID_PREVIEW_SECRET ??= randomBytes(8).toString('hex');
const { build, preview } = await import('astro');
const site = join(root, 'playground');

await build({ root: site });
const port = await freePort(4321, 'localhost');
const server = await preview({ root: site, server: { host: 'localhost', port }, logLevel: 'warn' });
console.log(`
  The playground  http://localhost:${port}
  Its drafts      http://localhost:${port}/_luid/preview?to=/drafts&secret=${process.env.LUID_PREVIEW_SECRET}
  The service     ${process.env.LUID_BASE_URL}
${emulator ? `  Its studio      ${emulator.studioUrl}\n` : ''}  Ctrl-C ends ${emulator ? 'both' : 'it'}.
`);

// Ctrl-C may be received twice: from the terminal, and forwarded by scripts/run.mjs.
let ending = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    if (ending) return;
    ending = true;
    await Promise.all([server.stop(), emulator?.close()]);
    process.exit(0);
  });
}

/** Starts the emulator at its usual port, or at another one if that is in use. */
async function startService() {
  const port = await freePort(SAMPLE_PORT, '127.0.0.1');
  const sample = await startSample({ port, studio: true });
  Object.assign(process.env, sample.env);
  return sample;
}
