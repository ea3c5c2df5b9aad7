import type { Connect } from '../../client/http/connection.ts';
import type { Schemas } from '../../models/schema.ts';
import type { ModelMap } from '../../models/types.ts';
import type { Languages } from '../../space/space-options.ts';

/** What the live loader needs of a space. */
export interface LiveSpace<M extends ModelMap, L extends string> extends Schemas<M> {
  readonly models: M;
  readonly settings?: {
    readonly space?: string | undefined;
    readonly languages?: Languages<L> | undefined;
    readonly onInvalid?: 'fail' | 'skip' | undefined;
  };
  connect(options?: { drafts?: boolean; onRequest?: boolean }): Connect;
}
