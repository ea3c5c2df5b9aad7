import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Hook, HookError } from './hook.ts';

/** Runs a shell command in the project folder. Its output goes to stderr. */
export function execHook(command: string, dir: string): Hook {
  return {
    name: 'the command',
    identity: `exec ${command}`,
    async fire(signal) {
      signal.throwIfAborted();
      // In its own process group, so that its child processes can be stopped too.
      const child = spawn(command, { cwd: dir, shell: true, stdio: ['ignore', 2, 2], detached: true });
      const stop = () => killGroup(child.pid);
      signal.addEventListener('abort', stop, { once: true });
      try {
        const [code, killedBy] = await once(child, 'exit');
        signal.throwIfAborted();
        if (code === 0) return;
        throw new HookError(`The command exited with ${killedBy ?? code}`, { hint: 'See its output above.' });
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGTERM');
  } catch {
    // Already exited.
  }
}
