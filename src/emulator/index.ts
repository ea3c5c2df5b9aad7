import { Emulator } from './emulator.ts';
import type { EmulatorOptions } from './options.ts';

export type { Assumptions } from './assumptions.ts';
export { DEFAULT_ASSUMPTIONS } from './assumptions.ts';
export type { Emulator } from './emulator.ts';
export type { Fault, FaultKind, FaultRequest } from './http/faults.ts';
export type { LogEntry } from './http/log.ts';
export { type RunningEmulator, type ServerOptions, startEmulator } from './http/server.ts';
export type { EmulatorOptions } from './options.ts';
export { sampleSeed } from './sample.ts';
export type {
  NewContent,
  NewMedia,
  Seed,
  SeedContent,
  SeedFields,
  SeedKey,
  SeedMedia,
} from './state/seed.ts';

/**
 * The service in memory, reached through `fetch`. Without a seed it serves the bundled sample. Throws for a
 * seed that is not valid, naming the place.
 */
export function createEmulator(seed?: unknown, options?: EmulatorOptions): Emulator {
  return new Emulator(seed, options);
}
