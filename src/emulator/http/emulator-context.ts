import type { AssetContext } from '../assets/serve-asset.ts';
import type { Assumptions } from '../assumptions.ts';
import type { ListCache } from '../read/sorted-lists.ts';
import type { State } from '../state/state.ts';
import type { WriteQueue } from '../state/write-queue.ts';
import type { Cdn } from './cdn.ts';
import type { RateLimit } from './rate-limit.ts';
import type { ResponseLimits } from './response-limits.ts';

/** Everything that handling a request needs. */
export interface EmulatorContext extends AssetContext, ResponseLimits {
  readonly state: State;
  readonly lists: ListCache;
  readonly writeQueue: WriteQueue;
  /** `undefined`: off. */
  readonly cdn: Cdn | undefined;
  /** `undefined`: off. */
  readonly rateLimit: RateLimit | undefined;
  /** The current ones, which code may change while a request waits. Responses cached with others are dropped. */
  readonly assumptions: () => Assumptions;
  readonly baseUrl: string;
  readonly assetsUrl: string;
  /** The name of the header with the key. */
  readonly header: string;
  readonly now: () => number;
  /** Truncates a time to the resolution of stored times. */
  readonly truncateTime: (time: number) => number;
  /** Maximum bytes of a JSON body, and of an upload. */
  readonly maxBody: number;
  readonly maxUpload: number;
  readonly beforeRead: ((request: Request) => void | Promise<void>) | undefined;
  /** A different number for each request, for `tieOrder: 'shuffled'`. */
  readonly shuffleSeed: number;
  readonly onError: (error: unknown) => void;
}
