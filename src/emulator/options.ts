import type { Assumptions } from './assumptions.ts';

export interface EmulatorOptions {
  /** Where it believes to be. Default: `http://luid.test`; a listening one knows. */
  origin?: string | undefined;
  /** The folder that `file` of media is relative to. Default: the working directory. */
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
  /** The folder in which resized pictures are kept. Default: one of the user's among temporary files. */
  assetCache?: string | undefined;
  /**
   * A file that keeps the state. If it is there it is the state, and the seed is not used; it is
   * written after every change. Uploaded media lie beside it, in a folder named `FILE.media`.
   */
  data?: string | undefined;
  /** Told of every failure of the emulator itself, which answers 500. Default: stderr. */
  onError?: ((error: unknown) => void) | undefined;
}
