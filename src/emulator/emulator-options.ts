import type { Assumptions } from './assumptions.ts';
import type { LogEntry } from './http/request-log.ts';
import type { SeedWebhook } from './state/seed-types.ts';

export interface EmulatorOptions {
  /** The origin of its URLs. Default: `http://luid.test`; if it listens, the URL of the server. */
  origin?: string | undefined;
  /** The folder that `file` of media is relative to. Default: the working directory, or the folder of the sample. */
  directory?: string | undefined;
  /** The name of the header with the key. Default: `X-SERVICE-API-KEY`. */
  header?: string | undefined;
  /** Default: `true`. */
  rateLimit?: boolean | undefined;
  /** Default: `true`. */
  cdn?: boolean | undefined;
  /** Milliseconds by which every response is delayed. */
  latency?: number | undefined;
  /** Maximum bytes of a response with content; a longer one is a 500. Default: no limit. */
  maxResponse?: number | undefined;
  /** Milliseconds by which a list is delayed for each of its items. */
  timePerItem?: number | undefined;
  assumptions?: Partial<Assumptions> | undefined;
  /** The time source until `emulator.clock` is set. Default: `Date.now`. */
  clock?: (() => number) | undefined;
  /** The random seed for `tieOrder: 'shuffled'`. Default: 1. */
  random?: number | undefined;
  /** Maximum bytes of a JSON body; a longer one is a 400. Default: 5,000,000. */
  maxBody?: number | undefined;
  /** Maximum bytes of an upload; a longer one is a 400. Default: 50,000,000. */
  maxUpload?: number | undefined;
  /**
   * The cache folder for resized images: at most 200 MB, for 30 days. Default: a folder of this user in the
   * system's folder for temporary files. Not used if it is a link or if another user owns it or can write to it.
   */
  assetCache?: string | undefined;
  /**
   * A file that stores the state, written after every change. If it exists, the seed is not used. Uploaded media
   * are stored in the folder `FILE.media`. `FILE.lock` keeps other emulators from using the file until `close()`
   * or the end of the process.
   */
  data?: string | undefined;
  /**
   * Serves the studio, a page to look at the space and change it, at `/`. `studioUrl` of the emulator is its URL with
   * the access token. Default: `false`.
   */
  studio?: boolean | undefined;
  /** Sent when content changes, besides those of the seed; one with the URL of another one replaces it. */
  webhooks?: readonly SeedWebhook[] | undefined;
  /** Sends webhooks. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Called with every internal error, and once per missing package. Default: prints to stderr. */
  onError?: ((error: unknown) => void) | undefined;
  /** Called with every request after its response. */
  onRequest?: ((entry: LogEntry) => void) | undefined;
}
