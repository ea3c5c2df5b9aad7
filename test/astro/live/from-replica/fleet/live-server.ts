import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LiveServerOptions, LiveServerResult, Question } from './live-server-child.ts';

const CHILD = fileURLToPath(new URL('live-server-child.ts', import.meta.url));

/** A server in a process of its own. */
export class LiveServer {
  readonly #child: ChildProcess;
  #questions = 0;

  constructor(options: LiveServerOptions) {
    const stdio = process.env.LUID_DEBUG ? 'inherit' : 'ignore';
    this.#child = fork(CHILD, [JSON.stringify(options)], {
      execArgv: [],
      stdio: ['ignore', stdio, stdio, 'ipc'],
    });
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it shows, or the error. Rejects if the process ends. */
  async read(): Promise<LiveServerResult['shown']> {
    return (await this.#ask('read')).shown;
  }

  /** What it found out about its tags since it was last called. */
  async audit(): Promise<LiveServerResult['audit']> {
    return (await this.#ask('audit')).audit;
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    if (!this.isRunning) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }

  #ask(what: Question['what']): Promise<LiveServerResult> {
    const id = ++this.#questions;
    return new Promise((resolve, reject) => {
      const end = () => {
        this.#child.off('message', onMessage).off('exit', onExit);
      };
      const onExit = () => {
        end();
        reject(new Error('The server ended'));
      };
      const onMessage = (result: LiveServerResult) => {
        if (result.id !== id) return;
        end();
        resolve(result);
      };
      if (!this.isRunning) return reject(new Error('The server ended'));
      this.#child.on('message', onMessage as never).on('exit', onExit);
      this.#child.send({ id, what } satisfies Question, (error) => error && onExit());
    });
  }
}
