import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface ImageServer {
  readonly url: string;
  page(path: string): Promise<string>;
  close(): Promise<void>;
}

/** Runs a program that serves a site, until it says where it listens. */
export async function startServer(
  command: string,
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<ImageServer> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [found] = /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output) ?? [];
        if (found) resolve(found);
      });
    }
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}:\n${output}`)));
  });
  return {
    url,
    page: async (path) => (await fetch(new URL(path, url))).text(),
    async close() {
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    },
  };
}
