import { connect } from 'node:net';

/**
 * Sends raw bytes to a listening server and gives back whatever it answers, as text. Ends when the server
 * closes the connection, when `enough` says so, or, with `hangUp`, at once.
 */
export function sendRaw(
  baseUrl: string,
  bytes: string | Uint8Array,
  options: { hangUp?: boolean; enough?: (answer: string) => boolean } = {},
): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => {
      if (options.hangUp) socket.write(bytes, () => socket.destroy());
      else socket.end(bytes);
    });
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (options.enough?.(answer)) socket.destroy();
    });
    // A connection that the server cuts is one of the answers that these tests expect.
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}
