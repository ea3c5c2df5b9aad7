// npm start: the emulator on its sample space, the playground built from it, and the built site served.
// With LUID_BASE_URL and LUID_API_KEY set, that service is used instead of the emulator.
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { root } from './process.mjs';
import { SAMPLE_PORT, startSample } from './sample.mjs';

await import('./build.mjs');
const emulator = process.env.LUID_BASE_URL ? undefined : await startService();
process.env.ASTRO_TELEMETRY_DISABLED = '1';
process.env.LUID_PREVIEW_SECRET ??= randomBytes(8).toString('hex');
const { build, preview } = await import('astro');
const site = join(root, 'playground');

await build({ root: site });
const port = await freePort(4321);
const server = await preview({ root: site, server: { host: 'localhost', port }, logLevel: 'warn' });
console.log(`
  The playground  http://localhost:${port}
  Its drafts      http://localhost:${port}/preview?secret=${process.env.LUID_PREVIEW_SECRET}
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

/** At its own port, or at another if that is taken. */
async function startService() {
  const sample = await startSample({ port: SAMPLE_PORT }).catch(() => startSample());
  Object.assign(process.env, sample.env);
  return sample;
}

/** This port, or any other if it is taken. */
function freePort(wanted) {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', () => (wanted ? resolve(freePort(0)) : reject()));
    probe.listen(wanted, 'localhost', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
