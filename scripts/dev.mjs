// npm run dev: the playground in Astro's dev server, with the emulator and its studio: content that is published in the
// studio appears in the open page. Uses the emulator of npm start if that is running, and the service of LUID_BASE_URL
// and LUID_API_KEY if these are set.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from './free-port.mjs';
import { root } from './process.mjs';
import { findRunningSample, SAMPLE_PORT, startSample } from './sample.mjs';

await import('./build.mjs');
const runningEnv = process.env.LUID_BASE_URL ? undefined : await findRunningSample();
const emulator = process.env.LUID_BASE_URL || runningEnv ? undefined : await startService();
Object.assign(process.env, runningEnv ?? emulator?.env);
process.env.ASTRO_TELEMETRY_DISABLED = '1';
process.env.LUID_PREVIEW_SECRET ??= randomBytes(8).toString('hex');
const { dev } = await import('astro');
const port = await freePort(4321, 'localhost');
const server = await dev({ root: join(root, 'playground'), server: { host: 'localhost', port } });
const studio = emulator?.studioUrl ?? (runningEnv ? 'see the terminal of npm start' : undefined);
console.log(`
  The playground  http://localhost:${port}
  The service     ${process.env.LUID_BASE_URL}
${studio ? `  Its studio      ${studio}\n` : ''}`);

// Ctrl-C may be received twice: from the terminal, and forwarded by scripts/run.mjs.
let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    if (isEnding) return;
    isEnding = true;
    await Promise.all([server.stop(), emulator?.close()]);
    process.exit(0);
  });
}

async function startService() {
  return startSample({ port: await freePort(SAMPLE_PORT, '127.0.0.1'), studio: true });
}
