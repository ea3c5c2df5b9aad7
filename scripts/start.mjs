// npm start: starts the emulator with its sample space, builds the playground and serves it.
// If LUID_BASE_URL and LUID_API_KEY are set, uses that service instead of the emulator.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from './free-port.mjs';
import { endOnSignal, root } from './process.mjs';
import { startService } from './sample.mjs';

await import('./build.mjs');
const emulator = await startService();
process.env.ASTRO_TELEMETRY_DISABLED = '1';
process.env.LUID_PREVIEW_SECRET ??= randomBytes(16).toString('hex');
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

endOnSignal(() => Promise.all([server.stop(), emulator?.close()]));
