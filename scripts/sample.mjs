/** One address for every start, so that what was cached of it stays of use. */
export const SAMPLE_PORT = 4320;

/**
 * Starts the emulator on its sample space in this process, and puts its addresses and keys where the
 * playground looks for them. The package must be built.
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
