import type { Assumptions } from './assumptions.ts';
import type { LogEntry } from './http/log.ts';

export interface EmulatorOptions {
  /** Where it believes to be. Default: `http://luid.test`; a listening one knows. */
  origin?: string | undefined;
  /** The folder that `file` of media is relative to. Default: the working directory; for the sample its own. */
  directory?: string | undefined;
  /** Default: `X-SERVICE-API-KEY`. */
  header?: string | undefined;
  /** Default: `true`. */
  rateLimit?: boolean | undefined;
  /** Default: `true`. */
  cdn?: boolean | undefined;
  /** Milliseconds that every answer takes longer. */
  latency?: number | undefined;
  assumptions?: Partial<Assumptions> | undefined;
  /** The time until `clock` is set. Default: the real one. */
  clock?: (() => number) | undefined;
  /** Where `tieOrder: 'shuffled'` starts from. Default: 1. */
  random?: number | undefined;
  /** Bytes of the longest JSON body; more is refused. Default: 5,000,000. */
  maxBody?: number | undefined;
  /** Bytes of the longest upload; more is refused. Default: 50,000,000. */
  maxUpload?: number | undefined;
  /**
   * The folder in which resized images are kept: at most 200 MB, for 30 days. Default: one of this user's in the
   * folder for temporary files. One that others own or can write to, and a link to one, are not used.
   */
  assetCache?: string | undefined;
  /**
   * A file that keeps the state. If it exists it is the state, and the seed is not used; it is
   * written after every change. Uploaded media are stored beside it, in a folder named `FILE.media`.
   * `FILE.lock` keeps other emulators from using it until `close()` or the end of the process.
   */
  data?: string | undefined;
  /** Called with every failure of the emulator itself, and once per missing package. Default: prints to stderr. */
  onError?: ((error: unknown) => void) | undefined;
  /** Called with every request once its response is known. */
  onRequest?: ((entry: LogEntry) => void) | undefined;
}
