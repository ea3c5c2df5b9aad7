import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareContent } from '../../../src/cli/check/compare-content.ts';
import { MismatchLog } from '../../../src/cli/check/mismatch-log.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { createProject, type Project } from '../support/cli-project.ts';
import { TINY_SPACE } from '../support/tiny-space.ts';

/** What is found of items of a model `thing`, one after the other. */
function compared(
  fields: ModelMap[string],
  items: Record<string, unknown>[],
  targets: [number, string][] = [],
) {
  const log = new MismatchLog();
  const comparison = compareContent(log, { thing: fields }, new Map(targets));
  for (const [index, values] of items.entries()) {
    comparison.add({ _id: index + 1, _model: 'thing', _title: '', ...values } as WireContent);
  }
  comparison.end();
  return log.all.map(({ field, problem, ids }) => [field, problem, ids]);
}

describe('comparing content with the declared models', () => {
  test.each([
    ['a field that no item has', { a: field.text(), b: field.text() }, [{ a: 'x' }], ['b', 'missing', []]],
    [
      'a field that is not declared',
      { a: field.text() },
      [{ a: 'x', b: 'y' }, { a: 'z' }],
      ['b', 'extra', [1]],
    ],
    ['anwrong type', { a: field.boolean() }, [{ a: true }, { a: 'yes' }], ['a', 'type', [2]]],
    [
      'required, but empty',
      { a: field.text({ required: true }) },
      [{ a: '' }, { a: 'x' }],
      ['a', 'empty', [1]],
    ],
    ['an unknown option', { a: field.select(['x']) }, [{ a: 'x' }, { a: 'y' }], ['a', 'option', [2]]],
    [
      'an unknown option in a list',
      { a: field.multiSelect(['x']) },
      [{ a: ['x', 'y'] }],
      ['a', 'option', [1]],
    ],
    ['no option at all', { a: field.select(['x']) }, [{ a: true }], ['a', 'type', [1]]],
    [
      'a problem in a repeat',
      { a: field.repeat({ b: field.datetime() }) },
      [{ a: [{ b: null }, { b: 'soon' }] }],
      ['a.b', 'type', [1]],
    ],
    [
      'a problem in a block',
      { a: field.combination({ hero: { b: field.media({ required: true }) } }) },
      [{ a: [{ luid: 'hero', fields: { b: null } }] }],
      ['a.hero.b', 'empty', [1]],
    ],
    [
      'a field set that is not declared',
      { a: field.combination({ hero: { b: field.text() } }) },
      [{ a: [{ luid: 'other', fields: {} }] }],
      ['a.other', 'extra', [1]],
    ],
    [
      'a list where a group is declared',
      { a: field.fieldSet({ b: field.text() }) },
      [{ a: [] }, { a: [{}] }],
      ['a', 'type', [2]],
    ],
  ])('%s', (_, fields, items, expected) => {
    expect(compared(fields as unknown as ModelMap[string], items)).toEqual([expected]);
  });

  test('reports an invalid entry of a repeat with the message of a build', () => {
    const log = new MismatchLog();
    const comparison = compareContent(log, { thing: { a: field.repeat({ b: field.text() }) } }, new Map());
    comparison.add({ _id: 1, _model: 'thing', _title: '', a: [{ b: 'x' }, 7] } as unknown as WireContent);
    expect(log.all.map(({ message }) => message)).toEqual(['expected an object of fields, found 7']);
  });

  test('reports a reference to content of another model', () => {
    const fields = { a: field.reference('thing') } as unknown as ModelMap[string];
    const targets: [number, string][] = [
      [7, 'thing'],
      [8, 'other'],
    ];
    expect(compared(fields, [{ a: 7 }, { a: 8 }, { a: 9 }], targets)).toEqual([['a', 'type', [2]]]);
  });

  test('reports nothing for valid content, with empty values in any form', () => {
    const fields = { a: field.text(), b: field.repeat({ c: field.text() }), constructor: field.text() };
    const items = [
      { a: null, b: null, constructor: '' },
      { a: '', b: [], constructor: 'x' },
    ];
    expect(compared(fields as unknown as ModelMap[string], items)).toEqual([]);
  });
});

describe('luid check', () => {
  let service: RunningEmulator;
  let project: Project;
  beforeAll(async () => {
    service = await startEmulator(TINY_SPACE, { rateLimit: false });
    project = createProject();
    const access = ['--base-url', service.baseUrl, '--api-key', 'published-key'];
    expect((await project.luid(['init', '--yes', ...access])).code).toBe(0);
    project.install();
  });
  afterAll(async () => {
    await service?.close();
    project?.remove();
  });
  const declare = (models: string, more = '') =>
    project.write(
      'src/other.ts',
      `import { defineSpace, field } from 'astro-luid';\nexport const space = defineSpace({ ${more} models: { ${models} } });`,
    );
  const check = (...args: string[]) => project.luid(['check', '--space', 'src/other.ts', ...args]);

  test('reports what the key can read, and finds no mismatch in what init wrote', async () => {
    const { code, stdout, stderr } = await project.luid(['check']);
    expect(stderr).toContain('The key reads published content (no drafts found): 5 items');
    expect(stderr).toMatch(/^article +3 +3$/m);
    expect(stderr).toContain('The declared models match the content.');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).not.toContain('published-key');
  });

  test('prints a table of mismatches with item ids, and exits with code 1', async () => {
    declare("article: { title: field.text(), gone: field.text(), category: field.select(['food']) }");
    const { code, stdout, stderr } = await check();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^article +gone +missing +declared, but no item has it$/m);
    expect(stdout).toMatch(
      /^article +category +unknown option +expected one of "food", found "travel" +301$/m,
    );
    expect(stdout).toMatch(/^article +slug +extra +not declared +303, 302, 301$/m);
    expect(stderr).toContain('Undeclared models: author.');
  });

  test('--json prints the report as JSON', async () => {
    declare('author: { name: field.text(), portrait: field.media() }, tag: { name: field.text() }');
    const { code, stdout } = await check('--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      key: { reads: 'published', items: 5 },
      languages: ['ja'],
      models: [
        { name: 'author', items: 2, compared: 2 },
        { name: 'tag', items: 0, compared: 0 },
      ],
      undeclared: ['article'],
      drift: [
        {
          model: 'tag',
          field: '',
          problem: 'missing',
          message: 'no content visible to this key: check the LUID',
          items: 0,
          ids: [],
        },
      ],
    });
  });

  test('a wrong main language is a mismatch', async () => {
    const languages = (main: string, sub: string) => `languages: { main: '${main}', sub: ['${sub}'] },`;
    const author = 'author: { name: field.text(), portrait: field.media() }';
    declare(author, languages('en', 'ja'));
    const { code, stdout } = await check();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^ +languages\.main +wrong language +declared as "en", but the main language is "ja"$/m,
    );
    declare(author, languages('ja', 'en'));
    expect((await check()).code).toBe(0);
  });

  test('a reference to an undeclared model is a mismatch', async () => {
    declare(
      'event: { name: field.text() }, article: { title: field.text(), slug: field.text(), body: field.flexibleText(), category: field.select(), tags: field.multiSelect(), cover: field.media(), author: field.reference("event"), related: field.repeat({ article: field.reference() }) }',
    );
    const { stdout } = await check();
    expect(stdout).toMatch(
      /^article +author +wrong type +expected content of event, found content of author +303, 302, 301$/m,
    );
  });

  test('detects wrong string types by the operators that the service supports', async () => {
    declare(
      'article: { title: field.select(), slug: field.flexibleText(), body: field.text(), category: field.text(), tags: field.multiSelect(), cover: field.media(), author: field.reference(), related: field.repeat({ article: field.reference() }) }',
    );
    const { stdout } = await check();
    const mismatches = [
      ...stdout.matchAll(/^article +(\w+) +wrong type +declared as \w+, but the content is (\w+)$/gm),
    ];
    expect(mismatches.map(([, luid, type]) => [luid, type])).toEqual([
      ['title', 'text'],
      ['slug', 'text'],
      ['body', 'flexible_text'],
      ['category', 'select'],
    ]);
  });

  test('--all also compares items between the newest and the oldest', async () => {
    const many = await startEmulator(
      {
        ...TINY_SPACE,
        models: { thing: { on: { type: 'unknown' } } },
        media: [],
        contents: Array.from({ length: 301 }, (_, index) => ({
          id: index + 1,
          model: 'thing',
          created_at: new Date(index * 1000).toISOString(),
          published: { ja: { on: index === 150 ? 'yes' : true } },
        })),
      },
      { rateLimit: false },
    );
    const env = { LUID_BASE_URL: many.baseUrl };
    declare('thing: { on: field.boolean() }');
    const args = ['check', '--space', 'src/other.ts', '--json'];
    const some = JSON.parse((await project.luid(args, env)).stdout);
    const all = JSON.parse((await project.luid([...args, '--all'], env)).stdout);
    await many.close();
    expect(some).toMatchObject({ ok: true, models: [{ items: 301, compared: 200 }] });
    expect(all).toMatchObject({
      ok: false,
      models: [{ items: 301, compared: 301 }],
      drift: [{ model: 'thing', field: 'on', problem: 'type', items: 1, ids: [151] }],
    });
  });

  test('--drafts uses the draft key', async () => {
    service.contents.create({ model: 'author', draft: { ja: { name: 'New' } } });
    declare('author: { name: field.text(), portrait: field.media() }');
    const { stdout } = await project.luid(['check', '--space', 'src/other.ts', '--drafts', '--json'], {
      LUID_DRAFT_API_KEY: 'draft-key',
    });
    expect(JSON.parse(stdout)).toMatchObject({ key: { reads: 'drafts' }, models: [{ items: 3 }] });
  });

  test.each([
    ['a wrong key', { LUID_API_KEY: 'secret-wrong' }, '401'],
    ['no network', { LUID_BASE_URL: 'http://127.0.0.1:9/v1' }, '`fetch` blocks this port'],
  ])('%s exits with code 1 and prints nothing on stdout', async (_, env, message) => {
    const { code, stdout, stderr } = await project.luid(['check'], env);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret-wrong');
  });

  test('a missing space exits with code 1 and a hint', async () => {
    const { code, stderr } = await project.luid(['check', '--dir', 'src']);
    expect(code).toBe(1);
    expect(stderr).toContain('npx astro-luid init');
  });

  test('--help lists every option', async () => {
    const { code, stdout } = await project.luid(['check', '--help']);
    expect(code).toBe(0);
    for (const option of ['dir', 'space', 'export', 'drafts', 'all', 'json'])
      expect(stdout).toContain(`--${option}`);
  });
});
