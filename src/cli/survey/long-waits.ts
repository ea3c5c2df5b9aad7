import type { Connect } from '../../client/http/connection.ts';

/** Shorter ones are not worth a word. */
const LONG_WAIT = 2_000;

/** Requests that are under way together wait together, which is told once. */
export function watchWaits(connect: Connect, onLongWait: () => void): (over: Promise<unknown>) => void {
  let isWatching = false;
  async function watch(over: Promise<unknown>): Promise<void> {
    const { clock } = await connect();
    const ended = new AbortController();
    const end = () => ended.abort();
    over.then(end, end);
    await clock.sleep(LONG_WAIT, ended.signal).then(onLongWait, () => {});
    await over.catch(() => {});
  }
  return (over) => {
    if (isWatching) return;
    isWatching = true;
    watch(over).finally(() => {
      isWatching = false;
    });
  };
}
