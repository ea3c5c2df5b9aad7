import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/emulator/index.ts';
import type { StudioError, StudioItem } from '../../../src/emulator/studio/studio-types.ts';
import { SPACE } from '../small-seed.ts';

export interface StudioResponse<T> {
  readonly status: number;
  readonly body: T & StudioError;
}

/** The access token in the URL of an emulator's studio. */
export function tokenOf({ studioUrl = '' }: Emulator): string {
  return new URL(studioUrl).hash.slice('#token='.length);
}

/** An emulator with a studio, at 2026-02-01T00:00:00Z, and functions to send requests to its API. */
export function openStudio(seed: unknown = SPACE, options: EmulatorOptions = {}) {
  let now = Date.UTC(2026, 1, 1);
  const emulator = createEmulator(seed, { studio: true, clock: () => now, ...options });
  async function send<T>(method: string, path: string, body?: unknown): Promise<StudioResponse<T>> {
    const headers = { authorization: `Bearer ${tokenOf(emulator)}` };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await emulator.fetch(`${emulator.origin}/_studio/api/${path}`, init);
    return { status: response.status, body: (await response.json()) as T & StudioError };
  }
  return {
    emulator,
    get: <T>(path: string) => send<T>('GET', path),
    post: <T>(path: string, body: unknown = {}) => send<T>('POST', path, body),
    item: async (id: number) => (await send<StudioItem>('GET', `contents/${id}`)).body,
    pass: (ms: number) => {
      now += ms;
    },
  };
}
