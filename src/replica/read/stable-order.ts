import type { ClientRequest } from '../../client/http/client-request.ts';
import type { WireList } from '../../contract/content.ts';
import { LuidRequestError } from '../../shared/errors.ts';

/** Requests one page in an order. */
export type ReadInOrder = (
  order: string,
  how?: Pick<ClientRequest, 'signal' | 'onPermanentError'>,
) => Promise<WireList>;

/**
 * Reads pages by a time and, among equal times, by id, which keeps their order stable from page to page. The
 * specification does not say whether the service orders by id, so a 400 may mean that it does not: all pages are then
 * read without, and those that were requested by id are aborted. Once a page by id was read, a 400 has another cause: it is
 * final, and aborts `stop`.
 */
export function createStableOrder(
  stop: AbortController,
  abort: (error: unknown) => void = (error) => stop.abort(error),
): (by: string, read: ReadInOrder) => Promise<WireList> {
  const refused = new AbortController();
  const signal = AbortSignal.any([refused.signal, stop.signal]);
  let wasRead = false;

  const isRefusal = (error: unknown) =>
    error === refused.signal.reason || (!wasRead && LuidRequestError.is(error) && error.status === 400);
  const onPermanentError = (error: unknown) => (isRefusal(error) ? refused.abort() : abort(error));

  return async (by, read) => {
    if (!refused.signal.aborted) {
      try {
        const page = await read(`${by},_id`, { signal, onPermanentError });
        wasRead = true;
        return page;
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    }
    return read(by);
  };
}
