import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareWith } from '../../../src/cli/check/compare.ts';
import type { WireContent } from '../../../src/contract/content.ts';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/index.ts';
import { field } from '../../../src/index.ts';
import type { ModelMap } from '../../../src/models/types.ts';
import { createProject, type Project } from '../project.ts';
import { SMALL_SPACE } from '../small-space.ts';

/** What is found of items of a model `thing`, one after the other. */
function compared(
  fields: ModelMap[string],
  items: Record<string, unknown>[],
  targets: [number, string][] = [],
) {
  const comparison = compareWith({ thing: fields }, new Map(targets));
  for (const [index, values] of items.entries()) {
    comparison.add({ _id: index + 1, _model: 'thing', _title: '', ...values } as WireContent);
  }
  return comparison.result().map(({ field, problem, ids }) => [field, problem, ids]);
}

describe('content against the declared map', () => {
  test.each([
    ['a field that no item has', { a: field.text(), b: field.text() }, [{ a: 'x' }], ['b', 'missing', []]],
    [
      'a field that is not declared',
      { a: field.text() },
      [{ a: 'x', b: 'y' }, { a: 'z' }],
      ['b', 'extra', [1]],
    ],
    ['another type', { a: field.boolean() }, [{ a: true }, { a: 'yes' }], ['a', 'type', [2]]],
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

  test('an entry of a repeat that is no group, in the words of a build', () => {
    const comparison = compareWith({ thing: { a: field.repeat({ b: field.text() }) } }, new Map());
    comparison.add({ _id: 1, _model: 'thing', _title: '', a: [{ b: 'x' }, 7] } as unknown as WireContent);
    expect(comparison.result().map(({ message }) => message)).toEqual([
      'expected an object of fields, found 7',
    ]);
  });

  test('a reference to content of another model', () => {
    const fields = { a: field.reference('thing') } as unknown as ModelMap[string];
    const targets: [number, string][] = [
      [7, 'thing'],
      [8, 'other'],
    ];
    expect(compared(fields, [{ a: 7 }, { a: 8 }, { a: 9 }], targets)).toEqual([['a', 'type', [2]]]);
  });

  test('nothing where all fits, empty values in any spelling', () => {
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
    service = await startEmulator(SMALL_SPACE, { rateLimit: false });
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

  test('names the key’s kind and reach, and is content with what init wrote', async () => {
    const { code, stdout, stderr } = await project.luid(['check']);
    expect(stderr).toContain('The key reads published content only, as far as was seen');
    expect(stderr).toContain('5 items');
    expect(stderr).toMatch(/^article +3 +3$/m);
    expect(stderr).toContain('The map fits the content.');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).not.toContain('published-key');
  });

  test('shows a table of what differs, with ids, and ends with 1', async () => {
    declare("article: { title: field.text(), gone: field.text(), category: field.select(['food']) }");
    const { code, stdout, stderr } = await check();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^article +gone +missing +declared, but no item has it$/m);
    expect(stdout).toMatch(
      /^article +category +unknown option +expected one of "food", found "travel" +301$/m,
    );
    expect(stdout).toMatch(/^article +slug +extra +not declared +303, 302, 301$/m);
    expect(stderr).toContain('Not declared: author.');
  });

  test('--json gives the report to machines', async () => {
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
          message: 'no content that this key can see: is the LUID right?',
          items: 0,
          ids: [],
        },
      ],
    });
  });

  test('a main language that the space does not have is a difference', async () => {
    const languages = (main: string, sub: string) => `languages: { main: '${main}', sub: ['${sub}'] },`;
    const author = 'author: { name: field.text(), portrait: field.media() }';
    declare(author, languages('en', 'ja'));
    const { code, stdout } = await check();
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^ +languages\.main +other language +declared as "en", but the main language is "ja"$/m,
    );
    declare(author, languages('ja', 'en'));
    expect((await check()).code).toBe(0);
  });

  test('a reference to another model than it names, which is not declared, is a difference', async () => {
    declare(
      'event: { name: field.text() }, article: { title: field.text(), slug: field.text(), body: field.flexibleText(), category: field.select(), tags: field.multiSelect(), cover: field.media(), author: field.reference("event"), related: field.repeat({ article: field.reference() }) }',
    );
    const { stdout } = await check();
    expect(stdout).toMatch(
      /^article +author +other type +expected content of event, found content of author +303, 302, 301$/m,
    );
  });

  test('knows texts of another kind by what the service takes', async () => {
    declare(
      'article: { title: field.select(), slug: field.flexibleText(), body: field.text(), category: field.text(), tags: field.multiSelect(), cover: field.media(), author: field.reference(), related: field.repeat({ article: field.reference() }) }',
    );
    const { stdout } = await check();
    const differences = [
      ...stdout.matchAll(/^article +(\w+) +other type +declared as \w+, but the content is (\w+)$/gm),
    ];
    expect(differences.map(([, luid, type]) => [luid, type])).toEqual([
      ['title', 'text'],
      ['slug', 'text'],
      ['body', 'flexible_text'],
      ['category', 'select'],
    ]);
  });

  test('--all compares items that lie between the newest and the oldest', async () => {
    const many = await startEmulator(
      {
        ...SMALL_SPACE,
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

  test('--drafts asks with the key for drafts', async () => {
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
  ])('%s: exit code 1, and nothing on stdout', async (_, env, said) => {
    const { code, stdout, stderr } = await project.luid(['check'], env);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain('secret-wrong');
  });

  test('no space: exit code 1 with what to do', async () => {
    const { code, stderr } = await project.luid(['check', '--dir', 'src']);
    expect(code).toBe(1);
    expect(stderr).toContain('npx astro-luid init');
  });

  test('--help names every option', async () => {
    const { code, stdout } = await project.luid(['check', '--help']);
    expect(code).toBe(0);
    for (const option of ['dir', 'space', 'export', 'drafts', 'all', 'json'])
      expect(stdout).toContain(`--${option}`);
  });
});
