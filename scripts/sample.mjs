/** Fixed, so that the cache of earlier starts can be used. */
export const SAMPLE_PORT = 4320;

/**
 * Starts the emulator with its sample space in this process. Returns the environment variables of the
 * playground. The package must be built.
 */
export async function startSample(options = {}) {
  const { sampleSeed, startEmulator } = await import('../dist/emulator/index.js');
  const { seed, directory } = sampleSeed();
  const running = await startEmulator(seed, { directory, ...options });
  const keyFor = (kind) => seed.keys.find(({ reads }) => reads === kind).key;
  const env = {
    LUID_BASE_URL: running.baseUrl,
    LUID_ASSETS_URL: running.assetsUrl,
    LUID_API_KEY: keyFor('published'),
    LUID_DRAFT_API_KEY: keyFor('drafts'),
  };
  return { env, close: () => running.close() };
}
