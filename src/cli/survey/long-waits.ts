import type { Connect } from '../../client/http/connection.ts';

/** Shorter waits, in milliseconds, are not reported. */
const LONG_WAIT = 2_000;

/** Concurrent requests wait together: that is reported once. */
export function reportLongWaits(connect: Connect, onLongWait: () => void): (wait: Promise<unknown>) => void {
  let isWatching = false;
  async function watch(wait: Promise<unknown>): Promise<void> {
    const { clock } = await connect();
    const finished = new AbortController();
    const end = () => finished.abort();
    wait.then(end, end);
    await clock.sleep(LONG_WAIT, finished.signal).then(onLongWait, () => {});
    await wait.catch(() => {});
  }
  return (wait) => {
    if (isWatching) return;
    isWatching = true;
    watch(wait).finally(() => {
      isWatching = false;
    });
  };
}
