import type { IncomingMessage } from 'node:http';

/**
 * The body of a request as a stream that reads only as fast as it is read. Once it is cancelled, the
 * rest is passed over unseen: destroying the message would take the connection along, and the answer.
 */
export function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let letGo = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const onData = (chunk: Buffer) => {
          controller.enqueue(new Uint8Array(chunk));
          incoming.pause();
        };
        const onEnd = () => {
          letGo();
          controller.close();
        };
        const onError = (error: Error) => {
          letGo();
          controller.error(error);
        };
        letGo = () => {
          incoming.off('data', onData).off('end', onEnd).off('error', onError);
          // It may still fail, with nobody left to tell.
          incoming.on('error', () => undefined);
        };
        incoming.pause();
        incoming.on('data', onData).on('end', onEnd).on('error', onError);
      },
      pull() {
        incoming.resume();
      },
      cancel() {
        letGo();
        incoming.resume();
      },
    },
    { highWaterMark: 0 },
  );
}
