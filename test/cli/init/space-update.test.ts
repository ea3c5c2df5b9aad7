import { describe, expect, test } from 'vitest';
import type { Evidence, Inferred } from '../../../src/cli/infer/infer.ts';
import { UnsupportedSyntaxError } from '../../../src/cli/init/edit/parse-source.ts';
import { readSpace } from '../../../src/cli/init/space-file/read-space.ts';
import { updateSpace } from '../../../src/cli/init/space-file/space-update.ts';
import { field } from '../../../src/index.ts';
import type { Field } from '../../../src/models/field-types/index.ts';

function update(text: string, models: Inferred['models'], evidence: Record<string, Evidence> = {}) {
  const names = Object.keys(models);
  const inferred = { models, evidence: new Map(Object.entries(evidence)), assetsUrl: undefined };
  return updateSpace(text, inferred, {
    models: names.map((name) => ({ name, total: 2, inspected: 2, langs: [], slug: undefined })),
    languages: undefined,
    discovery: {
      total: 2,
      inspected: 2,
      models: names,
      modelOf: new Map(),
      spaces: [],
      hasDrafts: false,
    },
  });
}

const shown = (text: string, models: Inferred['models'], evidence?: Record<string, Evidence>) =>
  update(text, models, evidence).differences.map(({ kind, place, found }) => [kind, place, found]);

const MINE = `import { defineSpace, field } from 'astro-luid';

const seo = { description: field.text() };
/** Mine. */
export const cms = defineSpace({
  strict: true,
  models: {
    // the order is mine
    article: {
      slug: field.text({ required: true }), // needed
      title: field.text(),
      body: field.flexibleText({ format: 'markdown' }),
      seo: field.fieldSet(seo),
      sections: field.combination({
        hero: { image: field.media() },
      }),
    },
  },
});
`;
const SAME = {
  article: {
    title: field.text(),
    slug: field.text(),
    body: field.flexibleText(),
    seo: field.fieldSet({ description: field.text() }),
    sections: field.combination({ hero: { image: field.media() } }),
  },
};

test('order, options and comments of the user are not differences', () => {
  expect(update(MINE, SAME)).toMatchObject({ differences: [], text: MINE });
  expect(readSpace(MINE).name).toBe('cms');
});

test('adds what is new at every level, and changes nothing else', () => {
  const { text, differences } = update(
    MINE,
    {
      article: {
        ...SAME.article,
        lead: field.multiline(),
        seo: field.fieldSet({ description: field.text(), image: field.media() }),
        sections: field.combination({
          hero: { image: field.media(), title: field.text() },
          quote: { text: field.multiline() },
        }),
      },
      author: { name: field.text() },
    },
    { 'article.lead': { filled: 1, of: 2, doubt: 'few seen' } },
  );
  expect(differences.map(({ kind, place }) => `${kind} ${place}`)).toEqual([
    'added article.seo.image',
    'added article.sections.hero.title',
    'added article.sections.quote',
    'added article.lead',
    'added author',
  ]);
  expect(text).toBe(
    MINE.replace(
      '{ description: field.text() };',
      '{\n  description: field.text(),\n  image: field.media(),\n};',
    ).replace(
      'hero: { image: field.media() },\n      }),\n    },\n',
      [
        'hero: {',
        '          image: field.media(),',
        '          title: field.text(),',
        '        },',
        '        quote: {',
        '          text: field.multiline(),',
        '        },',
        '      }),',
        '      lead: field.multiline(), // 1 of 2; uncertain: few seen',
        '    },',
        '    author: { // 2 items, all inspected',
        '      name: field.text(),',
        '    },',
        '',
      ].join('\n'),
    ),
  );
});

test('reports missing fields and wrong types, and keeps them', () => {
  const { slug, seo, ...rest } = SAME.article;
  const found = { article: { ...rest, seo: field.media(), body: field.boolean() } };
  expect(shown(MINE, found)).toEqual([
    ['changed', 'article.body', 'boolean'],
    ['changed', 'article.seo', 'media'],
    ['removed', 'article.slug', undefined],
  ]);
  expect(update(MINE, found).text).toBe(MINE);
});

test('keeps the declared type if the content is ambiguous', () => {
  const found = { article: { ...SAME.article, title: field.multiline() } };
  expect(shown(MINE, found, { 'article.title': { filled: 1, of: 1, doubt: 'text or multi-line' } })).toEqual(
    [],
  );
  expect(shown(MINE, found)).toEqual([['changed', 'article.title', 'multiline']]);
});

test('reports undeclared options and reference targets', () => {
  const text = `import { defineSpace, field as f } from 'astro-luid';
export const space = defineSpace({ models: { a: { kind: f.select(['x']), to: f.reference('b'), any: f.reference() } } });
`;
  const found = {
    a: { kind: field.select(['x', 'y']), to: field.reference(['b', 'c']), any: field.reference('b') },
  };
  expect(shown(text, found as unknown as Inferred['models'])).toEqual([
    ['changed', 'a.kind', 'further options "y"'],
    ['changed', 'a.to', 'references to "c"'],
  ]);
});

test('adds nothing to a group with a spread', () => {
  const text = `import { defineSpace, field } from 'astro-luid';
import { shared } from './shared.ts';
export const space = defineSpace({ models: { a: { ...shared, own: make() } } });
`;
  expect(update(text, { a: { own: field.text(), other: field.text() } })).toMatchObject({
    differences: [],
    text,
  });
});

test.each([
  ['a closing brace', '{\n      name: field.text() }', '\n    }'],
  ['a closing brace after a comma', '{\n      name: field.text(), }', '\n    }'],
  ['a comment over two lines', '{\n      name: field.text() /* a\n b */\n    }', '\n    /* a\n b */\n    }'],
])('does not swallow %s after the last field with the comment of a new one', (_, group, rest) => {
  const before = `import { defineSpace, field } from 'astro-luid';
export const space = defineSpace({
  models: {
    a: ${group},
  },
});
`;
  const evidence = { 'a.slug': { filled: 1, of: 2 } };
  const { text } = update(before, { a: { name: field.text(), slug: field.text() } }, evidence);
  const added = `{\n      name: field.text(),\n      slug: field.text(), // 1 of 2${rest}`;
  expect(text).toBe(before.replace(group, added));
});

test.each([
  ['under another name', 'defineSpace, field as f', 'f.text()', 'defineSpace, field as f', 'f'],
  ['only now', 'defineSpace as define', "{ type: 'text' }", 'defineSpace as define, field', 'field'],
  ['beside another `field`', 'defineSpace', 'field()', 'defineSpace, field as luidField', 'luidField'],
])('a new field uses `field` as it is imported %s', (_, names, name, namesAfter, local) => {
  const text = (imported: string, slug: string) => `import { ${imported} } from 'astro-luid';
export const space = ${/define\w*$|define\w*(?=,)/.exec(names)?.[0]}({
  models: {
    a: {
      name: ${name},${slug}
    },
  },
});
`;
  const models = {
    a: { name: field.text(), slug: field.text(), more: field.repeat({ on: field.boolean() }) },
  };
  const added = `
      slug: ${local}.text(),
      more: ${local}.repeat({
        on: ${local}.boolean(),
      }),`;
  expect(update(text(names, ''), models).text).toBe(text(namesAfter, added));
});

describe('a constant that two models share', () => {
  const text = `import { defineSpace, field } from 'astro-luid';
const common = { name: field.text() };
export const space = defineSpace({ models: { a: common, b: common } });
`;
  const links = (inner: Field) => ({ name: field.text(), links: field.repeat({ to: inner }) });

  test('gets a new field once, whatever its evidence is', () => {
    const evidence = { 'a.links': { filled: 1, of: 2 }, 'b.links': { filled: 2, of: 3 } };
    const { text: after } = update(text, { a: links(field.text()), b: links(field.text()) }, evidence);
    expect(after.match(/links: /g)).toHaveLength(1);
  });

  test('may get a field that only one of them has', () => {
    const { text: after } = update(text, { a: links(field.text()), b: { name: field.text() } });
    expect(after).toContain('links: field.repeat({');
  });

  test('is not extended with a field that differs between them', () => {
    const models = { a: links(field.text()), b: links(field.boolean()) };
    expect(() => update(text, models)).toThrow('`links` differs where a constant is used');
  });
});

test('an update after which the file would not declare the new fields is not supported', () => {
  const text = `import { defineSpace, field } from 'astro-luid';
export const space = defineSpace({
  models: {
    a: {
      name: field.text(), // ended by a line separator\u2028},
  },
});
`;
  expect(() => update(text, { a: { name: field.text(), slug: field.text() } })).toThrow(
    UnsupportedSyntaxError,
  );
});

test.each([
  ['two spaces', `${MINE}export const b = defineSpace({ models: {} });`],
  [
    'models from elsewhere',
    "import { defineSpace } from 'astro-luid';\nexport const s = defineSpace({ models });",
  ],
  ['none', 'export {};'],
  ['no code', 'export const ='],
])('a file with %s is not compared', (_, text) => {
  expect(() => update(text, SAME)).toThrow();
});
