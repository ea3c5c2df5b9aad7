import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lintCommand } from '../../../src/cli/lint/lint-command.ts';
import { RULES } from '../../../src/entries/lint/lint.ts';
import { runCommand } from '../support/run-in-process.ts';
import { createLintSite, type LintSite } from './lint-site.ts';

const HOSTILE =
  '\u001b[2J%0A\u009b31m::error::x\r\n::add-mask::y\n##[group]z ##vso[task.x]\u2028\u202e<script>alert(1)</script>[a](https://evil.example){0}%0A::stop-commands::k';

const seed = {
  languages: { main: 'ja', sub: ['en'] },
  keys: [{ key: 'published-key', reads: 'published' }],
  models: {
    article: {
      title: { type: 'text', title: true },
      body: { type: 'flexible_text' },
      lead: { type: 'text' },
    },
  },
  contents: [1, 2].map((id) => ({
    id,
    model: 'article',
    created_at: `2026-01-0${id}T00:00:00Z`,
    published: {
      ja: {
        title: HOSTILE,
        lead: id === 2 ? '' : 'x',
        body: `<h2>a</h2><h4>${HOSTILE.replaceAll('<', '&lt;')}</h4>`,
      },
    },
  })),
};
const MODELS = `{ article: {
  title: field.text({ title: true }), body: field.flexibleText(), lead: field.text({ required: true }) } }`;

describe('luid lint', () => {
  let site: LintSite;
  beforeAll(async () => {
    site = await createLintSite(seed, MODELS, "{ editUrl: 'https://cms.example/{model}/{id}' }");
  });
  afterAll(() => site.close());
  const run = (args: string[], env = {}) =>
    runCommand('lint', lintCommand, ['--dir', site.project.folder, ...args], env);

  /** Nothing in it moves a cursor, is a command of a CI, or a line that is not ours. */
  const expectHarmless = (output: string) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e]/);
    expect(output).not.toMatch(/^\s*::(?!error title=|warning title=)|##(?:vso)?\[/m);
  };

  test('prints findings by item, with the edit link and the fix, and exits with 1 for errors', async () => {
    const { code, stdout, stderr } = await run([]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^article 2 ".* {2}https:\/\/cms\.example\/article\/2$/m);
    expect(stdout).toMatch(
      /^ {2}error {4}lead \(ja\): required, but empty {2}empty-required\n +→ Fill it in/m,
    );
    expect(stderr).toContain('1 error, 3 warnings in 2 items.');
    expectHarmless(stdout);
    expect(stdout).not.toMatch(/^::/m);
  });

  test('in GitHub Actions, findings are annotations too, one line each', async () => {
    const { stdout } = await run([], { GITHUB_ACTIONS: 'true' });
    expect(stdout.match(/^::(?:error|warning) title=[a-z-]+::/gm)).toHaveLength(4);
    expect(stdout).toMatch(
      /^::error title=empty-required::article 2 .*, lead \(ja\): required, but empty%0AFill it in.*%0Ahttps/m,
    );
    // What GitHub decodes has no other lines than ours.
    expect(stdout.match(/^::.*$/gm)?.map((line) => line.split('%0A').length)).toEqual([3, 3, 3, 3]);
    expectHarmless(stdout);
  });

  test('--json has the strings as they are, escaped', async () => {
    const { stdout } = await run(['--json']);
    expectHarmless(stdout);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, items: 2, errors: 1, warnings: 3 });
    expect(JSON.parse(stdout).findings[0].title).toBe(HOSTILE.replaceAll(/\r?\n/g, (line) => line));
  });

  test('--sarif is a log of SARIF 2.1.0 as code scanning takes it, with plain messages', async () => {
    const { stdout, code } = await run(['--sarif']);
    expect(code).toBe(1);
    expectHarmless(stdout);
    const log = JSON.parse(stdout);
    expect(log).toMatchObject({ version: '2.1.0', runs: [{ tool: { driver: { name: 'luid lint' } } }] });
    expect(URL.canParse(log.$schema)).toBe(true);
    const [{ tool, results }] = log.runs;
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(RULES.map(({ name }) => name));
    for (const rule of tool.driver.rules) {
      expect(rule).toMatchObject({
        shortDescription: { text: expect.any(String) },
        help: { text: expect.any(String) },
      });
      expect(['error', 'warning']).toContain(rule.defaultConfiguration.level);
    }
    expect(results).toHaveLength(4);
    for (const { ruleId, level, message, locations, partialFingerprints } of results) {
      expect(RULES.map(({ name }) => name)).toContain(ruleId);
      expect(['error', 'warning']).toContain(level);
      // No link and no placeholder but our edit link.
      expect(message.text).not.toMatch(/(?<!\\)\[|(?<!\{)\{(?!\{)/);
      expect(locations[0]).toMatchObject({
        physicalLocation: { artifactLocation: { uri: 'src/space.ts' }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: expect.stringMatching(/^article\/[12]\/ja\//) }],
      });
      expect(Object.values(partialFingerprints)).toEqual([expect.any(String)]);
    }
    expect(new Set(results.map((one: object) => JSON.stringify(one))).size).toBe(4);
  });

  test('the same content has the same output', async () => {
    for (const args of [[], ['--json'], ['--sarif']]) expect(await run(args)).toEqual(await run(args));
  });

  test('says what to do without a cache, and for options that exclude each other', async () => {
    const { code, stderr } = await run(['--cache-dir', 'none']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/cache does not contain[\s\S]*npx luid sync/)]);
    await expect(run(['--json', '--sarif'])).rejects.toThrow('exclude each other');
  });

  test('rules are set in astro.config, and an unknown one is an error that suggests a name', async () => {
    const config = site.project.read('astro.config.ts');
    const withRules = (rules: string) =>
      site.project.write(
        'astro.config.ts',
        config.replace('{ editUrl', `{ lint: { rules: ${rules} }, editUrl`),
      );
    withRules("{ 'empty-required': 'warning', 'heading-order': 'off', 'duplicate-title': 'off' }");
    const { code, stderr } = await run([]);
    expect([code, stderr]).toEqual([0, '0 errors, 1 warning in 2 items.\n']);
    withRules("{ 'empty-requierd': 'off' }");
    expect((await run([])).stderr).toMatch(
      /unknown option 'lint\.rules\.empty-requierd'[\s\S]*empty-required/,
    );
    site.project.write('astro.config.ts', config);
  });
});
