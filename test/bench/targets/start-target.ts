import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../support/run-command.ts';
import { judge, milliseconds, type TargetBenchmark } from './target.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** `npm start` in a fresh clone of the last commit: with the packages from npm's cache, or from the registry. */
const start: TargetBenchmark = {
  name: 'start',
  async run(rounds) {
    const values: number[] = [];
    for (let round = 0; round < rounds; round++) values.push(await timeToFirstPage());
    return [
      judge({
        what: '`npm start` in a fresh clone: until the first page',
        values,
        limit: 40_000,
        format: milliseconds,
        figures: `each: ${values.map(milliseconds).join(', ')}`,
      }),
    ];
  },
};

async function timeToFirstPage(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'astro-luid-clone-'));
  try {
    await run('git', ['clone', '--quiet', ROOT, folder], { cwd: tmpdir() });
    const before = performance.now();
    // In a group of its own, which is ended as by Ctrl-C.
    const server = spawn('npm', ['start'], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = new Promise<void>((resolve) => server.on('exit', () => resolve()));
    try {
      const page = await fetch(await urlOf(server.stdout, exited));
      await page.text();
      if (!page.ok) throw new Error(`The playground responds with ${page.status}`);
      return performance.now() - before;
    } finally {
      if (server.pid && server.exitCode === null) process.kill(-server.pid, 'SIGINT');
      await exited;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The URL of the playground, which is printed when it is served. */
async function urlOf(stdout: AsyncIterable<Buffer>, exited: Promise<void>): Promise<string> {
  let output = '';
  const read = async () => {
    for await (const chunk of stdout) {
      output += chunk;
      const [, url] = /The playground\s+(http\S+)\n/.exec(output) ?? [];
      if (url) return url;
    }
  };
  const url = await Promise.race([read(), exited]);
  if (!url) throw new Error(`npm start ended:\n${output}`);
  return url;
}

export const START_TARGETS: readonly TargetBenchmark[] = [start];
