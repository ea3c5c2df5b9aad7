import { freePort } from './free-port.mjs';

/** A fixed port, because caches are keyed by URL. */
export const SAMPLE_PORT = 4320;

/**
 * Starts the emulator with its studio, at its usual port or at another one if that is in use, and sets the environment
 * for it. Starts nothing if LUID_BASE_URL names a service.
 */
export async function startService(options = {}) {
  if (process.env.LUID_BASE_URL) return undefined;
  const port = await freePort(SAMPLE_PORT, '127.0.0.1');
  const sample = await startSample({ port, studio: true, ...options });
  Object.assign(process.env, sample.env);
  return sample;
}

/** A webhook of the emulator that lets a site look for changes. Needs LUID_REFRESH_SECRET. */
export function refreshWebhook(site) {
  return {
    url: `${site}/_luid/refresh`,
    headers: { 'x-luid-secret': process.env.LUID_REFRESH_SECRET },
  };
}

/** Starts the emulator with the sample space and returns the environment variables for the playground. Needs a build. */
export async function startSample(options = {}) {
  const { sampleSeed, startEmulator } = await import('../dist/emulator/index.js');
  const { seed, directory } = sampleSeed();
  const running = await startEmulator(seed, { directory, ...options });
  const keyFor = (access) => seed.keys.find(({ reads }) => reads === access).key;
  const env = {
    LUID_BASE_URL: running.baseUrl,
    LUID_ASSETS_URL: running.assetsUrl,
    LUID_API_KEY: keyFor('published'),
    LUID_DRAFT_API_KEY: keyFor('drafts'),
  };
  return { env, studioUrl: running.studioUrl, close: () => running.close() };
}

/** The environment variables for the emulator of npm start or npm run dev, if it is running. */
export async function findRunningSample() {
  const origin = `http://127.0.0.1:${SAMPLE_PORT}`;
  const env = {
    LUID_BASE_URL: `${origin}/v1`,
    LUID_ASSETS_URL: `${origin}/assets`,
    LUID_API_KEY: 'published-key',
    LUID_DRAFT_API_KEY: 'draft-key',
  };
  const headers = { 'X-SERVICE-API-KEY': env.LUID_DRAFT_API_KEY };
  const response = await fetch(`${env.LUID_BASE_URL}/contents?limit=1`, { headers }).catch(() => undefined);
  return response?.ok ? env : undefined;
}
