import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';

const MODULE = new URL('../../scripts/end-with-parent.mjs', import.meta.url).href;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'astro-luid-parent-'));
  writeFileSync(
    join(folder, 'job.mjs'),
    `import { endWithParent } from ${JSON.stringify(MODULE)};
     endWithParent();
     process.on('SIGTERM', () => { console.log('ended properly'); process.exit(0); });
     setInterval(() => {}, 1000);
     console.log('running');`,
  );
  // The second command keeps the shell between npm and the job, as some shells do for one command too.
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, scripts: { serve: 'node job.mjs; true' } }),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(['SIGTERM', 'SIGKILL'] as const)('a job ends when npm is ended by %s', async (signal) => {
  const npm = spawn('npm', ['run', '--silent', 'serve'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: npm.stdout });
  const printed: string[] = [];
  lines.on('line', (line) => {
    printed.push(line);
    if (line === 'running') npm.kill(signal);
  });
  // The job holds the other end of this pipe, so it closes when the job has ended.
  await once(lines, 'close');
  expect(printed).toEqual(['running', 'ended properly']);
});
