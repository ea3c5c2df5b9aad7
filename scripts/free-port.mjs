import { createServer } from 'node:net';

/** This port, or another one with a warning if it is in use: an earlier start may still be running. */
export function freePort(wanted, host) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', (error) => {
      if (error.code !== 'EADDRINUSE' || wanted === 0) return reject(error);
      resolve(
        freePort(0, host).then((port) => {
          console.warn(
            `Port ${wanted} is in use, by an earlier \`npm start\` or another program ` +
              `(\`lsof -i :${wanted}\` shows which). Using port ${port} instead.`,
          );
          return port;
        }),
      );
    });
    probe.listen(wanted, host, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
