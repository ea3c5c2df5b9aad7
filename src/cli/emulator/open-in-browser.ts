import { spawn } from 'node:child_process';

/** The system's program that opens a URL, by platform. */
const PROGRAMS: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  // The first argument of `start` in quotes would be the title of a window.
  win32: ['cmd', '/c', 'start', '""'],
};

/** Opens a URL in the browser of the user. Rejects if that is not possible, for example on a server. */
export function openInBrowser(url: string): Promise<void> {
  const [program = '', ...args] = PROGRAMS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve, reject) => {
    const fail = (reason: string) =>
      reject(new Error(`Cannot open a browser (${reason}). Open the URL of the studio above yourself.`));
    const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => (code === 0 ? resolve() : fail(`${program} ended with code ${code}`)));
    child.unref();
  });
}
