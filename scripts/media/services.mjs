import { join } from 'node:path';
import { ended, root, run, start } from '../process.mjs';
import { startSample } from '../sample.mjs';
import { waitUntil } from './wait-until.mjs';

/** The time of the first edit, after the newest item of the sample. Each edit is a minute later than the one before. */
const START_TIME = Date.parse('2026-11-02T00:30:00Z');
const MINUTE = 60_000;

/**
 * The emulator with the sample and its studio. `tick()` advances its clock, which stands still otherwise, so that the
 * times in the images are the same each time.
 */
export async function startService(options = {}) {
  let now = START_TIME;
  const sample = await startSample({ studio: true, rateLimit: false, clock: () => now, ...options });
  const tick = () => {
    now += MINUTE;
  };
  return { ...sample, tick };
}

/** The playground in `astro dev`. Vite reloads the first tab once, so one is opened and closed before the recording. */
export async function startDevServer({ env }, browser) {
  const site = join(root, 'playground');
  const args = ['dev', '--ignore-lock', '--host', '127.0.0.1', '--port', '0'];
  const server = await startServer('astro', args, site, env);
  const first = await browser.newPage();
  const connected = first.waitForEvent('console', (message) => message.text() === '[vite] connected.');
  await Promise.all([first.goto(`${server.url}/en/`), connected]);
  await first.waitForLoadState('networkidle');
  await first.close();
  return server;
}

/** The server of `npm run start:live`, at a fixed port. */
export async function startLiveServer({ env }, port) {
  const site = join(root, 'examples/live');
  await run('astro', ['build'], { cwd: site, stdio: 'ignore', env: environment(env) });
  const address = { HOST: '127.0.0.1', PORT: String(port) };
  return startServer('node', [join('dist', 'server', 'entry.mjs')], site, { ...env, ...address });
}

async function startServer(command, args, cwd, env) {
  const child = start(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: environment(env) });
  const exit = ended(child);
  let isRunning = true;
  exit.finally(() => {
    isRunning = false;
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const close = async () => {
    child.kill('SIGTERM');
    await exit;
  };
  const [url] = await waitUntil(
    () => 'a server listens',
    () => {
      if (!isRunning) throw new Error(`${command} ${args[0]} ended:\n${output}`);
      return /http:\/\/(?:127\.0\.0\.1|localhost):\d+(?=[/\s])/.exec(output);
    },
  );
  return { url, close };
}

function environment(env) {
  // CI: in continuous integration, `astro dev` does not poll.
  return {
    ...env,
    CI: '',
    ASTRO_TELEMETRY_DISABLED: '1',
    NO_COLOR: '1',
    LUID_PREVIEW_SECRET: 'a secret that no picture shows',
  };
}
