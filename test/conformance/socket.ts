import { connect } from 'node:net';

/**
 * Sends raw bytes to a server and returns its response as a string. Resolves when the server closes the connection,
 * when `isComplete` returns true, or, with `hangUp`, after sending.
 */
export function sendRaw(
  baseUrl: string,
  bytes: string | Uint8Array,
  options: { hangUp?: boolean; isComplete?: (response: string) => boolean } = {},
): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let response = '';
    const socket = connect(Number(port), hostname, () => {
      if (options.hangUp) socket.write(bytes, () => socket.destroy());
      else socket.end(bytes);
    });
    socket.on('data', (chunk) => {
      response += chunk.toString('latin1');
      if (options.isComplete?.(response)) socket.destroy();
    });
    // The server may close the connection with an error: the tests expect that.
    socket.on('error', () => {});
    socket.on('close', () => resolve(response));
  });
}
