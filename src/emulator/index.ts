import { Emulator } from './emulator.ts';
import type { EmulatorOptions } from './emulator-options.ts';

export { type Assumptions, DEFAULT_ASSUMPTIONS } from './assumptions.ts';
export type { Emulator } from './emulator.ts';
export type { EmulatorOptions } from './emulator-options.ts';
export type { Fault, FaultKind, FaultRequest } from './http/faults.ts';
export type { LogEntry } from './http/request-log.ts';
export { type RunningEmulator, type ServerOptions, startEmulator } from './http/start-emulator.ts';
export { sampleSeed } from './sample-seed.ts';
export type {
  NewContent,
  NewMedia,
  Seed,
  SeedContent,
  SeedFields,
  SeedKey,
  SeedMedia,
  SeedWebhook,
  WebhookEvent,
} from './state/seed-types.ts';

export type { WebhookDelivery, WebhooksControl } from './webhooks/webhooks.ts';

/**
 * Creates the service in memory; call its `fetch`. Without a seed it serves the bundled sample. Throws for an
 * invalid seed, with the path of the problem.
 */
export function createEmulator(seed?: unknown, options?: EmulatorOptions): Emulator {
  return new Emulator(seed, options);
}
