import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { checkWorkflow } from './check-workflow.ts';
import { unknownCommands } from './named-commands.ts';
import { checkFile } from './schemas.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const files = (pattern: string) => globSync(pattern, { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'));
const { scripts, engines } = JSON.parse(read('package.json'));

const WORKFLOWS = files('.github/workflows/*.yml');
const FORMS = files('.github/ISSUE_TEMPLATE/*.yml').filter((file) => !file.endsWith('/config.yml'));
const NAMING = [
  ...WORKFLOWS,
  'CONTRIBUTING.md',
  '.github/pull_request_template.md',
  '.github/dependabot.yml',
];

describe('workflows', () => {
  test('there are three', () => {
    expect(WORKFLOWS.toSorted()).toEqual(
      ['ci', 'release', 'scheduled'].map((name) => `.github/workflows/${name}.yml`),
    );
  });

  test.each(WORKFLOWS)('%s is valid', async (file) => {
    expect(await checkWorkflow(read(file), file)).toEqual([]);
  });

  const CI = read('.github/workflows/ci.yml');
  test.each([
    ['an unknown key', 'runs-on:', 'run-on:', /unexpected key "run-on"/],
    [
      'an unknown variable of the matrix',
      'matrix.node }}',
      'matrix.nodes }}',
      /property "nodes" is not defined/,
    ],
    ['an unknown runner', 'macos-latest', 'macos-newest', /label "macos-newest" is unknown/],
    ['invalid YAML', 'steps:', 'steps: [', /ci\.yml: .*at line \d+/],
    ['a tag instead of a commit', /checkout@\w{40}/, 'checkout@v5', /is not pinned to a commit/],
    ['a commit without its version', / # v5\.0\.0/, '', /is not pinned to a commit/],
    ['no timeout', /^ +timeout-minutes: .*\n/m, '', /has no timeout-minutes/],
    ['too many permissions', 'contents: read', 'contents: write', /permissions of a workflow/],
    ['no concurrency', /^concurrency:\n( .*\n)+/m, '', /no concurrency/],
  ])('%s is found', async (_what, from, to, message) => {
    const changed = CI.replace(from, to);
    expect(changed).not.toBe(CI);
    expect((await checkWorkflow(changed, 'ci.yml')).join('\n')).toMatch(message);
  });

  test('CI covers the oldest Node, 22 and 24, on Linux, macOS and Windows', () => {
    const { jobs } = parse(CI);
    expect(jobs.linux.strategy.matrix.node).toEqual(['22', '24']);
    expect(jobs.portable.strategy.matrix).toEqual({
      os: ['macos-latest', 'windows-latest'],
      node: ['22', '24'],
    });
    const [, setup] = jobs.oldest.steps;
    expect(`>=${setup.with['node-version']}`).toBe(engines.node);
  });

  const RELEASE = read('.github/workflows/release.yml');
  interface Job {
    readonly permissions?: Record<string, string>;
    readonly steps?: readonly { uses?: string; run?: string; with?: Record<string, string> }[];
  }
  const commandsOf = ({ steps = [] }: Job) => steps.flatMap(({ run }) => run ?? []);

  test('a release is published from main only, after CI, with provenance', () => {
    const { on, jobs } = parse(RELEASE);
    expect(on).toEqual({ push: { branches: ['main'] } });
    expect(jobs.test.uses).toBe('./.github/workflows/ci.yml');
    expect(jobs.build.needs).toBe('test');
    expect(jobs.publish.needs).toBe('build');
    expect(commandsOf(jobs.publish)).toEqual([expect.stringContaining('--provenance')]);
    const [, check, build, pack] = commandsOf(jobs.build);
    expect([check, build]).toEqual(['npm run release:check', 'npm run build']);
    expect(pack).toContain('npm pack --ignore-scripts --pack-destination release');
  });

  test('the job that builds the package cannot publish it', () => {
    const jobs = Object.entries<Job>(parse(RELEASE).jobs);
    const withToken = jobs
      .filter(([, { permissions = {} }]) => permissions['id-token'])
      .map(([name]) => name);
    expect(withToken).toEqual(['publish']);
    expect(parse(RELEASE).jobs.build.permissions).toBeUndefined();
  });

  test('the job that publishes publishes what was built, and runs nothing else', () => {
    const { build, publish } = parse(RELEASE).jobs as Record<string, Job>;
    const upload = build?.steps?.at(-1);
    const download = publish?.steps?.find(({ uses }) => uses?.startsWith('actions/download-artifact@'));
    expect(upload?.uses).toMatch(/^actions\/upload-artifact@/);
    expect(upload?.with).toMatchObject({ path: 'release', 'if-no-files-found': 'error' });
    expect(download?.with).toEqual({ name: upload?.with?.name });
    expect(publish?.permissions).toEqual({ 'id-token': 'write' });
    expect(publish && commandsOf(publish)).toEqual([
      'npm publish ./astro-luid-*.tgz --ignore-scripts --provenance --access public',
    ]);
  });

  const PUBLISH = /run: (npm publish .*)/;
  test.each([
    [
      'a checkout',
      / +- uses: actions\/download-artifact@.*\n/,
      `      - uses: actions/checkout@${'0'.repeat(40)} # v5.0.0\n$&`,
      /uses actions\/checkout/,
    ],
    ['scripts of the package', ' --ignore-scripts --provenance', ' --provenance', /runs npm publish/],
    ['the package of a registry or a folder', './astro-luid-*.tgz', '.', /runs npm publish/],
    ['a second command', PUBLISH, 'run: $1 && npm run build', /runs npm publish/],
    ['an installation', PUBLISH, 'run: npm ci\n      - run: $1', /runs npm ci/],
    [
      'another permission',
      'id-token: write',
      'id-token: write\n      contents: write',
      /the permission contents too/,
    ],
  ])('%s in the job that publishes is found', async (_what, from, to, message) => {
    const at = RELEASE.indexOf('  publish:\n');
    const changed = RELEASE.slice(0, at) + RELEASE.slice(at).replace(from, to);
    expect(changed).not.toBe(RELEASE);
    expect((await checkWorkflow(changed, 'release.yml')).join('\n')).toMatch(message);
  });
});

describe('commands', () => {
  test.each(NAMING)('%s names commands that exist', (file) => {
    expect(unknownCommands(read(file), scripts, ROOT)).toEqual([]);
  });

  test('the scripts of the schedule exist', () => {
    const { jobs } = parse(read('.github/workflows/scheduled.yml'));
    const names: string[] = jobs.long.strategy.matrix.script;
    expect(names).toEqual(['test:long', 'defects', 'mutants', 'bench']);
    expect(names.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test('commands that do not exist are found', () => {
    const text =
      'npm run nothing, npm run --silent none; `npm tset`; npm ci; `npm ci`; `node scripts/run.mjs no-job` scripts/no.mjs';
    expect(unknownCommands(text, scripts, ROOT)).toEqual([
      'npm run nothing',
      'npm run none',
      'npm run tset',
      'scripts/no-job.mjs',
      'scripts/no.mjs',
    ]);
  });
});

describe('issue forms', () => {
  test.each(FORMS)('%s is valid', (file) => {
    expect(checkFile('form', read(file))).toEqual([]);
  });

  test('a bug needs the versions and a reproduction', () => {
    const { body } = parse(read('.github/ISSUE_TEMPLATE/bug.yml')) as {
      body: { id?: string; validations?: { required: boolean } }[];
    };
    const required = body.filter(({ validations }) => validations?.required).map(({ id }) => id);
    expect(required).toEqual(expect.arrayContaining(['version', 'astro', 'node', 'reproduction']));
  });

  test('the chooser is valid', () => {
    expect(checkFile('config', read('.github/ISSUE_TEMPLATE/config.yml'))).toEqual([]);
    expect(checkFile('config', 'contact_links: [{ name: Chat }]')).not.toEqual([]);
  });

  const BUG = read('.github/ISSUE_TEMPLATE/bug.yml');
  test.each([
    ['no name', /^name: .*\n/, '', /required property 'name'/],
    ['an unknown kind of field', 'type: dropdown', 'type: select', /body\/6\/type must be equal to one of/],
    ['a field without label', /^ +label: Log\n/m, '', /required property 'label'/],
    ['an unknown attribute', 'placeholder:', 'place_holder:', /additional properties/],
    [
      '`required` beside `validations`',
      'validations:\n      required',
      'required: true\n    validations:\n      required',
      /additional properties/,
    ],
    ['a dropdown without options', /options:\n( {8}- .*\n)+/, 'options: []\n', /must NOT have fewer than 1/],
    ['two fields with one id', 'id: node', 'id: astro', /two fields have the id astro/],
  ])('%s is found', (_what, from, to, message) => {
    const changed = BUG.replace(from, to);
    expect(changed).not.toBe(BUG);
    expect(checkFile('form', changed).join('\n')).toMatch(message);
  });
});

describe('dependabot.yml', () => {
  const DEPENDABOT = read('.github/dependabot.yml');
  test('is valid', () => {
    expect(checkFile('dependabot', DEPENDABOT)).toEqual([]);
  });

  test.each([
    ['no version', 'version: 2\n', '', /required property 'version'/],
    ['an unknown interval', 'monthly', 'yearly', /must be equal to one of/],
    ['no directory', /^ +directory: .*\n/m, '', /required property 'directory'/],
    ['an unknown key', 'commit-message:', 'commit_message:', /additional properties/],
  ])('%s is found', (_what, from, to, message) => {
    const changed = DEPENDABOT.replace(from, to);
    expect(changed).not.toBe(DEPENDABOT);
    expect(checkFile('dependabot', changed).join('\n')).toMatch(message);
  });
});
