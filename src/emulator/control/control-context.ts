import type { Assumptions } from '../assumptions.ts';
import type { SeedConverter } from '../state/seed-converter.ts';
import type { State } from '../state/state.ts';

/** What `contents`, `media` and `models` of an emulator work with. */
export interface ControlContext {
  readonly state: State;
  readonly converter: SeedConverter;
  readonly assumptions: () => Assumptions;
  /** The current time, in the resolution of stored times. */
  readonly storedNow: () => number;
  /** To be called after each change. By default it purges the CDN. The bytes of `removedMedia`, an upload, are removed. */
  readonly onChange: (options?: { purgesCdn?: boolean; removedMedia?: number }) => void;
}
