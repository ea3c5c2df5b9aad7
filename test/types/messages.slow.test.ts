import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const PATH = join(import.meta.dirname, 'options.ts');
const CONFIG = join(import.meta.dirname, '../tsconfig.json');

const SPACE = `import { defineSpace, field } from '../../src/index.ts';
const space = defineSpace({
  models: {
    author: { name: field.text({ required: true }), bio: field.multiline() },
    article: {
      title: field.text(), body: field.flexibleText(), cover: field.media(), author: field.reference('author'),
      seo: field.fieldSet({ description: field.text() }),
    },
  },
});`;

const NO_FIELD = "Type '{ eq: string; }' is not assignable to type";
const FIELDS = '"unknown field: use title, body, cover, author, seo"';
const PATHS = '"unknown field: use author.name, author.bio"';
const WRONG: [code: string, message: string][] = [
  [`space.loader('article', { where: { titel: { eq: 'x' } } })`, `${NO_FIELD} '${FIELDS}'.`],
  [`space.loader('article', { where: { 'author.nmae': { eq: 'x' } } })`, `${NO_FIELD} '${PATHS}'.`],
  [
    `space.loader('article', { where: { title: { eq: 'x' }, 'seo.descripton': { eq: 'x' } } })`,
    `${NO_FIELD} '"unknown field: use seo.description"'.`,
  ],
  [
    `space.loader('article', { where: { author: { nmae: { eq: 'x' } } } })`,
    `${NO_FIELD} '"unknown operator: use eq, in, or one of the keys author.name, author.bio beside it"'.`,
  ],
  [
    `space.loader('article', { where: { title: { equals: 'x' } } })`,
    `Type '"x"' is not assignable to type '"unknown operator: use eq, in, contains"'.`,
  ],
  [`space.liveLoader('article', { where: { titel: { eq: 'x' } } })`, `${NO_FIELD} '${FIELDS}'.`],
  [
    `space.loader('author', { where: { name: { eq: 'x' } }, backlinks: { list: { from: 'article', by: 'author', where: { 'author.nmae': { eq: 'x' } } } } })`,
    `${NO_FIELD} '${PATHS}'.`,
  ],
  [
    `space.loader('author', { backlinks: { list: { from: 'article', by: 'auhtor' } } })`,
    `Type '"auhtor"' is not assignable to type '"author"'.`,
  ],
  [
    `space.loader('author', { backlinks: { list: { from: 'artcle', by: 'author' } } })`,
    `Type '"artcle"' is not assignable to type '"article"'.`,
  ],
  [
    `space.loader('article', { backlinks: { list: { from: 'author', by: 'name' } } })`,
    `Type '{ from: string; by: string; }' is not assignable to type '"no model of the map has a reference to article"'.`,
  ],
  [
    `space.loader('article', { references: { auhtor: 'authors' } })`,
    `Object literal may only specify known properties, but 'auhtor' does not exist in type '{ readonly author?: string; }'. Did you mean to write 'author'?`,
  ],
  [
    `space.loader('article', { fields: ['author.nmae'] })`,
    `Type '"author.nmae"' is not assignable to type '"title" | "body" | "cover" | "author" | "seo"'.`,
  ],
  [
    `space.loader('article', { deph: 2 })`,
    `Type 'number' is not assignable to type '"unknown option: use body, id, fields, where, fallback, depth, lang, neighbours, maxEmbedded, langs, references, backlinks, drafts"'.`,
  ],
];

/** The first line of each problem, by the line of the code. */
function messagesOf(source: string): Map<number, string> {
  const { config } = ts.readConfigFile(CONFIG, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(CONFIG, '..'), {}, CONFIG);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, target) =>
    name === PATH ? ts.createSourceFile(name, source, target) : getSourceFile(name, target);
  const program = ts.createProgram([PATH], options, host);
  const file = program.getSourceFile(PATH);
  return new Map(
    program.getSemanticDiagnostics(file).map(({ start = 0, messageText }) => {
      const { line } = ts.getLineAndCharacterOfPosition(file as ts.SourceFile, start);
      return [line, typeof messageText === 'string' ? messageText : messageText.messageText];
    }),
  );
}

/** The order in which the compiler lists names says nothing. */
const inOrder = (message: string | undefined) => message?.split(/[^\w.]+/).sort();

test('a wrong name in options is reported with the names that are valid there, in one line', () => {
  const head = SPACE.split('\n').length;
  const messages = messagesOf([SPACE, ...WRONG.map(([code]) => code)].join('\n'));
  expect(messages.size).toBe(WRONG.length);
  for (const [index, [code, expected]] of WRONG.entries()) {
    const message = messages.get(head + index);
    expect(inOrder(message), `${code}: ${message}`).toEqual(inOrder(expected));
  }
});
