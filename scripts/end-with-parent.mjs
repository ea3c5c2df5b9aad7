// A supervisor that stops `npm start` stops npm and its shell, which do not forward the signal. So a job checks
// whether they are still running, and ends itself otherwise.
import { spawnSync } from 'node:child_process';

const INTERVAL_MS = 500;

/** Sends SIGTERM to this process once the npm that started it, or the shell in between, has ended. */
export function endWithParent() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const watched = [parent, parentOf(parent)];
  const timer = setInterval(() => {
    if (process.ppid === parent && watched.every(isRunning)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, INTERVAL_MS);
  timer.unref();
}

function isRunning(pid) {
  if (pid === undefined) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user that is running.
    return error.code === 'EPERM';
  }
}

/** The parent of another process; `undefined` where the system has no `ps`, or no such parent. */
function parentOf(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' });
  const parent = Number(stdout?.trim());
  return parent > 1 ? parent : undefined;
}
