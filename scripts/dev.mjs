// npm run dev: the playground in Astro's dev server, with the emulator and its studio: content that is published in the
// studio appears in the open page. Uses the emulator of npm start if that is running, and the service of LUID_BASE_URL
// and LUID_API_KEY if these are set.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from './free-port.mjs';
import { endOnSignal, root } from './process.mjs';
import { findRunningSample, refreshWebhook, startService } from './sample.mjs';

await import('./build.mjs');
const runningEnv = process.env.LUID_BASE_URL ? undefined : await findRunningSample();
Object.assign(process.env, runningEnv);
const port = await freePort(4321, 'localhost');
const site = `http://localhost:${port}`;
process.env.LUID_REFRESH_SECRET ??= randomBytes(16).toString('hex');
const emulator = await startService({ webhooks: [refreshWebhook(site)] });
process.env.ASTRO_TELEMETRY_DISABLED = '1';
process.env.LUID_PREVIEW_SECRET ??= randomBytes(16).toString('hex');
const { dev } = await import('astro');
const server = await dev({ root: join(root, 'playground'), server: { host: 'localhost', port } });
const studio = emulator?.studioUrl ?? (runningEnv ? 'see the terminal of npm start' : undefined);
console.log(`
  The playground  ${site}
  The service     ${process.env.LUID_BASE_URL}
${studio ? `  Its studio      ${studio}\n` : ''}`);

endOnSignal(() => Promise.all([server.stop(), emulator?.close()]));
