// npm run start:live: starts the emulator with its sample space, builds examples/live and serves it with Node.
// If LUID_BASE_URL and LUID_API_KEY are set, uses that service instead of the emulator.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from './free-port.mjs';
import { root } from './process.mjs';
import { refreshWebhook, startService } from './sample.mjs';

await import('./build.mjs');
process.env.ASTRO_TELEMETRY_DISABLED = '1';
process.env.LUID_REFRESH_SECRET ??= randomBytes(16).toString('hex');
const port = await freePort(4321, 'localhost');
const url = `http://localhost:${port}`;
const emulator = await startService({ webhooks: [refreshWebhook(url)] });
const { build } = await import('astro');
const site = join(root, 'examples/live');

await build({ root: site, logLevel: 'warn' });
const server = spawn(process.execPath, [join('dist', 'server', 'entry.mjs')], {
  cwd: site,
  env: { ...process.env, HOST: 'localhost', PORT: String(port) },
  stdio: 'inherit',
});
const ended = once(server, 'exit');
console.log(`
  The magazine    ${url}    each response has the header X-Astro-Cache: HIT or MISS
  An edit         in the studio, or npm run demo:edit in another terminal: shown at once, by a webhook
  Look now        curl -X POST ${url}/_luid/refresh -H "content-type: application/json" -H "x-luid-secret: ${process.env.LUID_REFRESH_SECRET}"
  The service     ${process.env.LUID_BASE_URL}
${emulator ? `  Its studio      ${emulator.studioUrl}\n` : ''}  Ctrl-C ends ${emulator ? 'all of them' : 'it'}.
`);

// Ctrl-C is received by the server too.
let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isEnding = true;
    server.kill(signal);
  });
}
const [code] = await ended;
await emulator?.close();
process.exit(isEnding ? 0 : (code ?? 1));
