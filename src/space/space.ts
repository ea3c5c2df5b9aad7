import type { Client } from '../client/client.ts';
import type { Connect } from '../client/http/connection.ts';
import type { Schemas } from '../models/schema.ts';
import type { ModelMap } from '../models/types.ts';
import type { SpaceRuntime } from './runtime.ts';
import type { Settings } from './space-options.ts';

/** A space without its loaders: enough for everything that reads its content. */
export interface SpaceCore<M extends ModelMap = ModelMap, L extends string = string> extends Schemas<M> {
  readonly models: M;
  readonly settings: Settings<L>;
  /**
   * How requests reach the service, with the key for published content or the one for drafts. `onRequest`:
   * for pages that are rendered on request, where other hints apply when a key is missing.
   */
  connect(options?: { drafts?: boolean; onRequest?: boolean }): Connect;
  /** A client of the service. It reads drafts only with `drafts: true`. */
  client(options?: { drafts?: boolean }): Client<M>;
}

/** What requests need of a space. */
export type ConnectedSpace = Pick<SpaceCore, 'models' | 'settings' | 'connect'>;

/** A space in use. The runtime is internal, so it is not part of what `defineSpace` returns. */
export interface RunningSpace extends SpaceCore {
  readonly runtime: SpaceRuntime;
  /** Those of its definition, which distinguish two spaces that are equal otherwise. */
  readonly keys?: { readonly apiKey?: string | undefined; readonly draftApiKey?: string | undefined };
}
