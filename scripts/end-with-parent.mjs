// A supervisor that ends `npm start` ends npm and its shell; neither passes the signal on to what they started.
// So a job looks whether they still run, and ends itself as if it had been told to.
import { spawnSync } from 'node:child_process';

const INTERVAL_MS = 500;

/** Where npm started this process: sends it SIGTERM once npm, or the shell between the two, has ended. */
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
    // A process of another user, which may not be signalled, runs all the same.
    return error.code === 'EPERM';
  }
}

/** The parent of another process; `undefined` where the system has no `ps`, or no such parent. */
function parentOf(pid) {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' });
  const parent = Number(stdout?.trim());
  return parent > 1 ? parent : undefined;
}
