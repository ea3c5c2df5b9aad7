import { spawn } from 'node:child_process';

/** Runs a command without blocking this process, which may be its server. Returns its output, or rejects with it. */
export function run(
  command: string,
  args: string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<string> {
  return new Promise((resolve, reject) => {
    // On Windows, npm and the commands of packages are scripts, which only a shell starts.
    const shell = process.platform === 'win32' && command !== process.execPath;
    const child = spawn(command, args, { ...options, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', reject);
    // After all of the output, unlike `exit`.
    child.on('close', (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output}`));
    });
  });
}
