import { listContents } from '../../client/endpoints/content-requests.ts';
import type { Connect } from '../../client/http/connection.ts';
import { type AnyQuery, queryParameters } from '../../client/query/query.ts';
import { chunks } from '../../contract/chunks.ts';
import type { WireContent } from '../../contract/content.ts';
import { LIMITS } from '../../contract/limits.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { mapReferences } from '../../models/walk.ts';
import { isRecord } from '../../shared/is-record.ts';

/** Corrects what the service has sent. */
export type CheckReferences = (items: WireContent[], signal?: AbortSignal) => Promise<WireContent[]>;

/**
 * Empties references to content without data in the language. The service does so where it embeds content; at the end of
 * `depth` it shows the id of everything that the key can read in some language. So these ids are looked up: one request
 * for up to 100 of them.
 */
export function createReferenceCheck(
  models: ModelMap,
  connect: Connect,
  { lang, fallback }: Pick<AnyQuery, 'lang' | 'fallback'>,
): CheckReferences {
  const shape = queryParameters({ lang, fallback, depth: 0, select: ['_id'], limit: LIMITS.pageSize });

  /** Replaces the ids of an item and of all content that it embeds. */
  function mapIds(item: WireContent, change: (id: number) => number | null): WireContent {
    return mapReferences(fieldsOf(models, item._model), item, ({ value }) => {
      if (typeof value === 'number') return change(value);
      return isRecord(value) ? mapIds(value as WireContent, change) : value;
    });
  }

  return async (items, signal) => {
    const ids = new Set<number>();
    for (const item of items) {
      mapIds(item, (id) => {
        ids.add(id);
        return id;
      });
    }
    const lists = chunks([...ids].sort((a, b) => a - b)).map((some) =>
      listContents(connect, { ...shape, '_id[in]': some.join(',') }, { signal }),
    );
    const existing = new Set((await Promise.all(lists)).flatMap(({ data }) => data.map(({ _id }) => _id)));
    return items.map((item) => mapIds(item, (id) => (existing.has(id) ? id : null)));
  };
}
