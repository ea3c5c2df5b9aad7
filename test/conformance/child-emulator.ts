import { startEmulator } from '../../src/emulator/index.ts';
import { directory, seed } from './conformance-seed.ts';

/**
 * An emulator in a process of its own, so that its memory can be told. It says where it listens, and
 * answers every message with the most memory it had until then, in bytes, and with its state.
 */
const options = JSON.parse(process.argv[2] ?? '{}');
const emulator = await startEmulator(seed, { directory, rateLimit: false, ...options });

let peak = 0;
// `resourceUsage().maxRSS` would begin with the memory of the process that started this one.
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
