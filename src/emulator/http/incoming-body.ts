import type { IncomingMessage } from 'node:http';

/**
 * The body of a request as a stream with backpressure. After `cancel` the rest is read and discarded: destroying
 * the message would close the connection before the response is sent.
 */
export function toBodyStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let detach = () => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const onData = (chunk: Buffer) => {
          controller.enqueue(new Uint8Array(chunk));
          incoming.pause();
        };
        const onEnd = () => {
          detach();
          controller.close();
        };
        const onError = (error: Error) => {
          detach();
          controller.error(error);
        };
        detach = () => {
          incoming.off('data', onData).off('end', onEnd).off('error', onError);
          // Errors after this point are ignored.
          incoming.on('error', () => undefined);
        };
        incoming.pause();
        incoming.on('data', onData).on('end', onEnd).on('error', onError);
      },
      pull() {
        incoming.resume();
      },
      cancel() {
        detach();
        incoming.resume();
      },
    },
    { highWaterMark: 0 },
  );
}
