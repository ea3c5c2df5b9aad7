import type { Warehouse } from '../assets/assets.ts';
import type { Assumptions } from '../assumptions.ts';
import type { Lists } from '../read/lists.ts';
import type { Ledger } from '../state/ledger.ts';
import type { State } from '../state/state.ts';
import type { Cdn } from './cdn.ts';
import type { RateLimit } from './rate.ts';

/** What requests are answered from. */
export interface House extends Warehouse {
  readonly state: State;
  readonly lists: Lists;
  readonly ledger: Ledger;
  /** Absent: off. */
  readonly cdn: Cdn | undefined;
  /** Absent: off. */
  readonly rate: RateLimit | undefined;
  readonly assumptions: Assumptions;
  readonly baseUrl: string;
  readonly assetsUrl: string;
  readonly header: string;
  readonly now: () => number;
  /** The time that is stored for what happens now. */
  readonly stamp: () => number;
  /** Cuts a time to the resolution that is stored. */
  readonly cut: (time: number) => number;
  /** Bytes of the longest JSON body, and of the longest upload. */
  readonly maxBody: number;
  readonly maxUpload: number;
  readonly beforeRead: ((request: Request) => void | Promise<void>) | undefined;
  readonly shuffle: number;
  readonly onError: (error: unknown) => void;
}
