import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditReport } from '../../../src/cli/audit-build/audit-report.ts';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { createProject, type Ended, LUID, type Project } from '../support/cli-project.ts';
import { PLANTED_FILES, plantedSeed } from './planted-site.ts';

let service: RunningEmulator;
let project: Project;
let variables: Record<string, string>;
const git = (...args: string[]) => execFileSync('git', args, { cwd: project.folder, encoding: 'utf8' });
/** Copies that are left. */
const copies = () => readdirSync(join(project.folder, 'node_modules/.tmp'));

beforeAll(async () => {
  service = await startEmulator(plantedSeed, { rateLimit: false });
  project = createProject();
  project.install();
  for (const [path, text] of Object.entries(PLANTED_FILES)) project.write(path, text);
  mkdirSync(join(project.folder, 'node_modules/.tmp'));
  variables = {
    LUID_BASE_URL: service.baseUrl,
    LUID_API_KEY: 'k',
    TMPDIR: join(project.folder, 'node_modules/.tmp'),
  };
  git('init', '--quiet');
  git('add', '--all');
  // What the user has built must stay as it is.
  project.write('dist/index.html', 'built');
  project.write('node_modules/.astro/data-store.json', 'stored');
});
afterAll(async () => {
  await service?.close();
  project?.remove();
});

describe('the audit of a site with planted omissions', () => {
  let ended: Ended;
  let report: AuditReport;
  beforeAll(async () => {
    const before = service.log.length;
    ended = await project.luid(['audit-build', '--json'], variables);
    expect(ended.code, ended.stderr).toBe(1);
    report = JSON.parse(ended.stdout) as AuditReport;
    expect(service.log.slice(before).every(({ method }) => method === 'GET')).toBe(true);
  });
  const messages = (route: string) =>
    report.findings
      .filter((finding) => finding.route.startsWith(`src/pages/${route}/`))
      .map(({ message }) => message);

  test('names a field that a list shows and its key forgets', () => {
    expect(messages('field')).toEqual([
      expect.stringMatching(
        /^\/field\/ stays old after article ".*" changed: its key does not depend on lead of collection articles or translations$/,
      ),
    ]);
  });

  test('names the collection of a sidebar', () => {
    expect(messages('sidebar')).toContainEqual(
      expect.stringMatching(
        /^\/sidebar\/1\/ stays old after article ".*" changed: its key does not depend on collection articles or translations \(the page shows its title\)$/,
      ),
    );
  });

  test('names the author whose name a page shows', () => {
    expect(messages('embedded')).toContainEqual(
      expect.stringMatching(
        /stays old after author ".*" changed: its key does not depend on collection authors \(the page shows its name\)$/,
      ),
    );
  });

  test('names the entry of a page that is keyed by its id', () => {
    expect(messages('by-id')).toContainEqual(
      expect.stringMatching(
        /stays old after article ".*" changed: its key does not depend on .*\(the page shows its title\)$/,
      ),
    );
  });

  test('names a list that does not notice a new entry, or a removed one', () => {
    expect(messages('added')).toEqual([
      expect.stringMatching(
        /^\/added\/ stays old after a copy of article ".*" was added: its key does not depend on which entries collection articles or translations has/,
      ),
    ]);
    expect(messages('removed')).toEqual([
      expect.stringMatching(
        /^\/removed\/ stays old after article ".*" was removed: its key does not depend on which entries/,
      ),
    ]);
  });

  test('names a list that does not notice another order', () => {
    expect(messages('order')).toContainEqual(
      expect.stringMatching(
        /^\/order\/ stays old after article ".*" changed its place in the order: its key does not depend on the order of collection articles/,
      ),
    );
  });

  test('names the language that a page shows beside its own', () => {
    expect(messages('language')).toEqual([
      expect.stringMatching(
        /stays old after article ".*" changed in en: its key does not depend on the language en of collection articles or translations \(the page shows its title\)$/,
      ),
    ]);
  });

  test('names no page whose key is right, and ignores what differs in every build', () => {
    for (const route of ['right', 'whole', 'stamped', 'unstable']) expect(messages(route)).toEqual([]);
    expect(report.notes).toContainEqual(
      expect.stringContaining('/unstable/ has a key that differs in every build'),
    );
    expect(report.notes).toContainEqual(
      expect.stringMatching(/\/stamped\/ has places that differ between two builds/),
    );
  });

  test('leaves nothing behind, and the project as it was', () => {
    expect(copies()).toEqual([]);
    expect(
      git('status', '--porcelain')
        .split('\n')
        .filter((line) => line && !line.startsWith('A ')),
    ).toEqual([]);
    expect(project.read('dist/index.html')).toBe('built');
    expect(project.read('node_modules/.astro/data-store.json')).toBe('stored');
    expect(readdirSync(join(project.folder, 'node_modules/.astro'))).toEqual(['data-store.json']);
    expect(project.has('.astro')).toBe(false);
  });
});

describe('an audit that is stopped', () => {
  test('by Ctrl-C ends its build and removes the copy', async () => {
    const child = spawn(process.execPath, [LUID, 'audit-build'], {
      cwd: project.folder,
      env: { ...process.env, ...variables, VITEST: undefined },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await new Promise<void>((resolve) => {
      child.stderr.setEncoding('utf8').on('data', (text: string) => text.includes('build 1') && resolve());
    });
    expect(copies()).toHaveLength(1);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(copies()).toEqual([]);
  });
});

describe('an audit that cannot run', () => {
  const luid = (...args: string[]) => project.luid(['audit-build', ...args], variables);

  test('of a folder without Astro ends with code 2', async () => {
    const { code, stderr } = await luid('--dir', '/');
    expect(code).toBe(2);
    expect(stderr).toContain('luid audit-build: Astro is not installed in /\n  → Run `npm install` there');
  });

  test('with an unknown option ends with code 2', async () => {
    const { code, stderr } = await luid('--jsn');
    expect(code).toBe(2);
    expect(stderr).toContain('unknown option --jsn; did you mean --json?');
  });

  test('of a site that does not use incremental builds says so, and ends with code 0', async () => {
    project.write('astro.config.mjs', 'export default {};');
    const { code, stderr, stdout } = await luid();
    expect(stderr).toContain('The site does not use incremental builds (experimental.incrementalBuild');
    expect([code, stdout]).toEqual([0, '']);
  });

  test('of a site that cannot be built shows the output of the build, and ends with code 2', async () => {
    project.write('astro.config.mjs', "throw new Error('planted failure');");
    const { code, stderr } = await luid('--json');
    expect(code).toBe(2);
    expect(stderr).toContain('planted failure');
    expect(stderr).toContain('the site cannot be built');
    expect(copies()).toEqual([]);
  });

  test('of a site without collections of this package says so, and ends with code 0', async () => {
    const other = createProject();
    try {
      other.install();
      other.write('package.json', '{ "type": "module" }');
      other.write('astro.config.mjs', PLANTED_FILES['astro.config.mjs']);
      other.write(
        'src/pages/[id].astro',
        "---\nexport const getStaticPaths = () => [{ params: { id: 'a' }, cacheKey: 'a' }];\n---\n<p>a</p>",
      );
      const { code, stdout } = await other.luid(['audit-build', '--json'], variables);
      const report = JSON.parse(stdout) as AuditReport;
      expect(report.notes).toEqual(['The site has no collections that astro-luid loads.']);
      expect([code, report.ok, report.pages, report.builds]).toEqual([0, true, 1, 1]);
    } finally {
      other.remove();
    }
  });
});
