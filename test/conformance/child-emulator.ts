import { startEmulator } from '../../src/emulator/index.ts';
import { directory, seed } from './conformance-seed.ts';

/**
 * Runs an emulator in a separate process to measure its memory. Sends its base URL, and responds to every message
 * with the peak memory in bytes and the state.
 */
const options = JSON.parse(process.argv[2] ?? '{}');
const emulator = await startEmulator(seed, { directory, rateLimit: false, ...options });

let peak = 0;
// `resourceUsage().maxRSS` would include the memory of the parent process.
const sample = () => {
  peak = Math.max(peak, process.memoryUsage.rss());
};
setInterval(sample, 2);

process.on('message', () => {
  sample();
  process.send?.({ peak, state: JSON.stringify(emulator.snapshot()) });
});
process.on('disconnect', () => process.exit());
process.send?.(emulator.baseUrl);
