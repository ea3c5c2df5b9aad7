/** A fixed port, because caches are keyed by URL. */
export const SAMPLE_PORT = 4320;

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
  return { env, close: () => running.close() };
}
