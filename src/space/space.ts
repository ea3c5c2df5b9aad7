import type { Client } from '../client/client.ts';
import type { Connect } from '../client/http/connection.ts';
import type { Schemas } from '../models/schema.ts';
import type { ModelMap } from '../models/types.ts';
import type { Settings } from './space-options.ts';

/** What a space is without its loaders: everything that reads its content needs no more than this. */
export interface SpaceCore<M extends ModelMap = ModelMap, L extends string = string> extends Schemas<M> {
  readonly models: M;
  readonly settings: Settings<L>;
  /**
   * How requests reach the service, with the key for published content or the one for drafts. `onRequest`:
   * for pages that are rendered on request, where other hints apply when a key is missing.
   */
  connect(options?: { drafts?: boolean; onRequest?: boolean }): Connect;
  /** A client of the service. Drafts must be asked for by name. */
  client(options?: { drafts?: boolean }): Client<M>;
}
