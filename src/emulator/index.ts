import { Emulator } from './emulator.ts';
import type { EmulatorOptions } from './options.ts';

export type { Assumptions } from './assumptions.ts';
export { DEFAULT_ASSUMPTIONS } from './assumptions.ts';
export type { Emulator } from './emulator.ts';
export type { Fault, FaultKind, FaultRequest } from './faults.ts';
export type { LogEntry } from './log.ts';
export type { EmulatorOptions } from './options.ts';
export { sampleSeed } from './sample.ts';
export type { NewContent, NewMedia, Seed, SeedContent, SeedFields, SeedKey, SeedMedia } from './seed.ts';
export { type RunningEmulator, type ServerOptions, startEmulator } from './server.ts';

/** The service in memory, answering through `fetch`. Refuses a bad seed, naming the place. */
export function createEmulator(seed: unknown, options?: EmulatorOptions): Emulator {
  return new Emulator(seed, options);
}
