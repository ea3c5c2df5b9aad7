import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { namesIn, sectionOf, tablesIn, textOf } from './documents.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A table of the reference, by its page and heading, and the type whose properties it lists. */
const TABLES: readonly (readonly [page: string, heading: string, type: string, table?: number])[] = [
  ['space', 'Options', "import('./space/space-options.ts').SpaceOptions<any>"],
  ['space', 'network', "import('./client/http/connection.ts').NetworkOptions"],
  ['space', 'cache', "import('./replica/store/storage.ts').CacheOptions"],
  ['space', 'What a space has', "import('./index.ts').Space"],
  [
    'fields',
    'Options of every field',
    "Omit<import('./models/field-types/field-type.ts').FieldBase, 'type'>",
  ],
  ['fields', 'field.text', "Omit<import('./models/field-types/texts.ts').TextField, 'type' | 'required'>"],
  [
    'fields',
    'field.flexibleText',
    "Omit<import('./models/field-types/texts.ts').FlexibleTextField, 'type' | 'required'>",
  ],
  ['fields', 'images', "import('./models/field-types/texts.ts').TextPictures"],
  ['fields', 'field.media', "Omit<import('./models/field-types/media.ts').MediaField, 'type' | 'required'>"],
  ['loader', 'Options', "import('./astro/collection/options/loader-options.ts').LoaderOptions"],
  ['loader', 'backlinks', "import('./astro/collection/options/backlink-options.ts').BacklinkOptions"],
  ['live-loader', 'From the service', "import('./astro/live/live-options.ts').LiveOptions"],
  [
    'live-loader',
    'From the replica',
    "Omit<import('./astro/live/live-options.ts').ReplicaLiveOptions, keyof import('./astro/collection/options/loader-options.ts').LoaderOptions>",
  ],
  ['live-loader', 'Filters', "import('./astro/live/live-options.ts').LiveCollectionFilter<any, any>"],
  ['live-loader', 'getPreviewEntry', "import('./astro/preview/get-preview-entry.ts').WhichEntry"],
  ['integration', 'Options', "import('./astro/integration/integration-options.ts').IntegrationOptions"],
  ['integration', 'lint', "import('./astro/lint/lint-options.ts').LintOptions"],
  ['integration', 'redirects', "import('./astro/redirects/redirect-options.ts').RedirectOptions"],
  ['integration', 'preview', "import('./astro/integration/integration-options.ts').PreviewOptions"],
  ['components', 'LuidSeo', "import('./astro/components/seo/seo-tags.ts').SeoOptions"],
  ['media', 'mediaUrl', "import('./images/index.ts').MediaOperations"],
  [
    'media',
    'srcset',
    "Record<'widths' | 'densities', 0> & Omit<import('./images/index.ts').SrcsetOptions, 'widths' | 'densities'>",
  ],
  ['media', 'mediaAttributes', "import('./images/index.ts').AttributeOptions"],
  [
    'cache-keys',
    'Options of collectionKey',
    "import('./entries/keys/collection-key.ts').CollectionKeyOptions<any>",
  ],
  ['feeds', 'astro-luid/rss', "import('./astro/feeds/rss.ts').RssOptions<any>"],
  ['feeds', 'astro-luid/sitemap', "import('./astro/feeds/sitemap.ts').SitemapAdditions"],
  ['client', 'createClient', "import('./client/index.ts').ClientOptions"],
  ['client', 'Reading: contents', "import('./client/index.ts').ReadContents<any>"],
  ['client', 'Queries of lists', "import('./client/index.ts').ListQuery<any, any>"],
  ['client', 'Queries of one item', "import('./client/index.ts').GetQuery<any, any>"],
  ['client', 'Writing: contents (beta)', "import('./client/index.ts').WriteContents<any>"],
  ['client', 'Writing: contents (beta)', "import('./client/index.ts').WriteInput<any>", 1],
  ['client', 'Writing: media (beta)', "import('./client/index.ts').WriteMedia"],
  ['emulator', 'Options', "import('./emulator/index.ts').EmulatorOptions"],
  [
    'emulator',
    'Options',
    "Omit<import('./emulator/index.ts').ServerOptions, keyof import('./emulator/index.ts').EmulatorOptions>",
    1,
  ],
  ['emulator', 'Webhooks', "import('./emulator/index.ts').SeedWebhook"],
  ['emulator', 'What an emulator has', "import('./emulator/index.ts').Emulator"],
  ['emulator', 'Assumptions', "import('./emulator/index.ts').Assumptions"],
];

/** The names of the public properties of each type. */
function propertiesOf(types: readonly string[]): string[][] {
  const file = join(ROOT, 'src/reference-types.ts');
  const source = types.map((type, at) => `export type T${at} = ${type};`).join('\n');
  const options: ts.CompilerOptions = {
    ...ts.parseJsonConfigFileContent(
      ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config,
      ts.sys,
      ROOT,
    ).options,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(options);
  const read = host.readFile.bind(host);
  host.readFile = (name) => (name === file ? source : read(name));
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => name === file || exists(name);
  const program = ts.createProgram([file], options, host);
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file) as ts.SourceFile);
  return checker.getExportsOfModule(module as ts.Symbol).map((symbol) =>
    checker
      .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
      .map(({ name }) => name)
      .filter((name) => !/^(?:__|#)/.test(name)),
  );
}

describe('the options in the reference are those of the types', () => {
  const properties = propertiesOf(TABLES.map(([, , type]) => type));

  test.each(TABLES.map((table, at) => [table[0], table[1], table[3] ?? 0, at] as const))(
    '%s.md, %s, table %i',
    (page, heading, number, at) => {
      const table = tablesIn(sectionOf(`docs/reference/${page}.md`, heading))[number] ?? [];
      expect(namesIn(table).sort()).toEqual(properties[at]?.sort());
    },
  );
});

test('the props of the components are those in the reference', () => {
  const OWN = ['Blocks', 'LuidImage', 'LuidPicture', 'PreviewBar', 'RichText'];
  for (const name of OWN) {
    const source = readFileSync(join(ROOT, `src/astro/components/${name}.astro`), 'utf8');
    const [, body = ''] = /^interface Props[^{]*(?:\{[^}]*\}[^{]*)?\{\n([\s\S]*?)^\}/m.exec(source) ?? [];
    const props = [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, prop]) => prop);
    expect(props.length, name).toBeGreaterThan(0);
    const [table = []] = tablesIn(sectionOf('docs/reference/components.md', name));
    expect(namesIn(table).sort(), name).toEqual(props.sort());
  }
});

test('the builders of fields are those in the reference', async () => {
  const { field } = await import('../../src/index.ts');
  const [table = []] = tablesIn(sectionOf('docs/reference/fields.md', 'Builders'));
  const builders = namesIn(table).map((name) => /^field\.(\w+)\(/.exec(name)?.[1]);
  expect(builders.sort()).toEqual(Object.keys(field).sort());
});

test('the operators in the reference are those of the field types', async () => {
  const { FIELD_TYPES } = await import('../../src/models/field-types/index.ts');
  const NAMES: Readonly<Record<string, readonly string[]>> = {
    'text, multi-line text': ['text', 'multiline'],
    'flexible text': ['flexible_text'],
    'multi select': ['multi_select'],
  };
  const [table = []] = tablesIn(sectionOf('docs/reference/loader.md', 'Filters'));
  const documented = table.flatMap(([types = '', operators = '']) =>
    (NAMES[types] ?? [types]).map((type) => [type, namesIn([[operators]]).sort()] as const),
  );
  const filterable = Object.entries(FIELD_TYPES).flatMap(([type, { operators }]) =>
    operators.length > 0 ? [[type, [...operators].sort()] as const] : [],
  );
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(filterable));
});

test('the kinds of faults are those in the reference', () => {
  const [table = []] = tablesIn(sectionOf('docs/reference/emulator.md', 'Faults'));
  const [, kinds = ''] =
    /export type FaultKind =([\s\S]*?);\n\n/.exec(
      readFileSync(join(ROOT, 'src/emulator/http/faults.ts'), 'utf8'),
    ) ?? [];
  const strings = [...kinds.matchAll(/\| ('\w+')/g)].map(([, kind]) => kind);
  expect(namesIn(table).filter((name) => name.startsWith("'"))).toEqual(strings);
});

test('the entry points and their exports are those in the reference', () => {
  const page = 'docs/reference/entry-points.md';
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
  const [entries = []] = tablesIn(textOf(page));
  expect(namesIn(entries).sort()).toEqual(
    Object.keys(exports)
      .filter((name) => name !== './internal/*')
      .map((name) => `astro-luid${name.slice(1)}`)
      .sort(),
  );

  const surface = readFileSync(join(ROOT, 'test/package/public-surface.txt'), 'utf8');
  for (const [, entry = '', body = ''] of surface.matchAll(/^(astro-luid\S*)\n((?: {2}.*\n)+)/gm)) {
    const [table = []] = tablesIn(sectionOf(page, entry));
    const exported = [...body.matchAll(/^ {2}(?:value|type) (\w+)/gm)].map(([, name]) => name);
    expect(namesIn(table).sort(), entry).toEqual(exported.sort());
  }
});

test('the commands and their options are those in the reference', () => {
  const page = 'docs/reference/commands.md';
  const listed = readFileSync(join(ROOT, 'test/package/command-options.txt'), 'utf8');
  const commands = [...listed.matchAll(/^luid (\S+)\n((?: {2}.*\n)+)/gm)];
  expect(commands.length).toBe(12);
  const [overview = []] = tablesIn(textOf(page));
  expect(namesIn(overview).sort()).toEqual(commands.map(([, command]) => command).sort());
  for (const [, command = '', body = ''] of commands) {
    const table = tablesIn(sectionOf(page, `luid ${command}`)).at(-1) ?? [];
    const names = namesIn(table).map((name) => name.replaceAll('\\|', '|'));
    expect(names.sort(), command).toEqual(
      body
        .trim()
        .split(/\n {2}/)
        .sort(),
    );
  }
});

test('the environment variables that the code reads are those in the reference', () => {
  const sources = globSync('src/**/*.{ts,tsx,astro}', { cwd: ROOT })
    .filter((file) => !file.includes('/sample/'))
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n');
  const read = [
    ...sources.matchAll(/\b(LUID_[A-Z_]+[A-Z])\b/g),
    ...sources.matchAll(/process\.env\.([A-Z_]+)/g),
    ...sources.matchAll(/processVariable\('([A-Z_]+)'\)/g),
    ...[...sources.matchAll(/const \{([^}]*)\} = process\.env;/g)].flatMap(([, names = '']) => [
      ...names.matchAll(/\b([A-Z_]{2,})\b/g),
    ]),
  ].map(([, name = '']) => name);
  // Removed from the environment of git, so that it looks at the project's own repository.
  const ours = read.filter((name) => !name.startsWith('GIT_'));
  const [table = []] = tablesIn(textOf('docs/reference/environment.md'));
  expect(namesIn(table).sort()).toEqual([...new Set(ours)].sort());
});

test('the error classes are those in the reference', async () => {
  const [table = []] = tablesIn(sectionOf('docs/reference/errors.md', 'Classes'));
  const exported = Object.keys(await import('../../src/index.ts')).filter((name) =>
    /^Luid\w*Error$/.test(name),
  );
  expect(namesIn(table).sort()).toEqual(exported.sort());
});
