import { spawn } from 'node:child_process';

/** A server of the site, on a host or in its runtime. */
export interface HostedServer {
  readonly url: string;
  /** The process that serves it, or the one that started that. */
  readonly pid: number;
  log(): string;
  /** Stops the process until it goes on. Absent where nothing runs between requests anyway. */
  freeze?(): void;
  thaw?(): void;
  /** Resolves when nothing of the last requests runs any more, where a host knows that. */
  idle?(): Promise<unknown>;
  close(): Promise<void>;
}

export type ServerProcess = HostedServer & Required<Pick<HostedServer, 'freeze' | 'thaw'>>;

/** Starts a program that serves the site, and waits until it listens. */
export async function startProcess(
  [command, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<ServerProcess> {
  let output = '';
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env, HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const [, port] = /listening on \S+:(\d+)\s/.exec(output) ?? [];
        if (port) resolve(`http://127.0.0.1:${port}`);
      });
    }
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${command} exited with code ${code}:\n${output}`)));
  });
  return {
    url,
    pid: child.pid as number,
    log: () => output,
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    close: () => {
      child.kill('SIGKILL');
      return ended;
    },
  };
}
