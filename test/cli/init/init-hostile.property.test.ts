import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { field } from '../../../src/index.ts';
import { printable } from '../../../src/printable.ts';
import { readEnvFile } from '../support/env-readers.ts';
import {
  type HostileService,
  type HostileSpace,
  hostileSpace,
  hostileString,
  startHostileService,
} from '../support/hostile-space.ts';
import { runInit } from '../support/run-in-process.ts';

const RUNS = Number(process.env.INIT_RUNS ?? 500);
const SEED = process.env.INIT_SEED === undefined ? {} : { seed: Number(process.env.INIT_SEED) };

let service: HostileService;
let root: string;
beforeAll(async () => {
  service = await startHostileService();
  root = mkdtempSync(join(tmpdir(), 'astro-luid-hostile-'));
});
afterAll(() => {
  service.close();
  rmSync(root, { recursive: true });
});

const astro = createRequire(import.meta.url).resolve('astro/package.json');
const { transform } = (await import(
  pathToFileURL(createRequire(astro).resolve('@astrojs/compiler-rs')).href
)) as { transform(source: string, options: object): { diagnostics: unknown[] } };

/** A folder's name: what a file system takes. */
const folderName = hostileString
  .map((text) => text.toWellFormed().replaceAll(/[/\0]/g, '').slice(0, 40))
  .filter((name) => name.trim() !== '' && !/^\.+$/.test(name));
const key = fc.stringMatching(/^[\x21-\x7e]{1,20}$/);
const path = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: hostileString.map((text) => `/${text.toWellFormed().replaceAll(/[?#]/g, '')}`) },
);

const MINE = {
  'package.json': '{ "dependencies": { "astro": "^7" } }',
  'astro.config.mjs': "export default { site: 'https://a.test' };\n",
  'src/content.config.ts': 'export const collections = {};\n',
};

const ATTACKS: [string, Partial<HostileSpace>, isWritten: boolean][] = [
  ['a field name that ends its comment', { fieldName: 'a\nprocess.exit(9)//' }, false],
  [
    'options with a line separator',
    { options: ['a\u2028process.exit(9)//', 'b\u2029process.exit(9)//'] },
    true,
  ],
  ['a block comment that ends', { tags: ['*/process.exit(9)/*'], title: '*/process.exit(9)/*' }, true],
  [
    'a media URL with lines for .env',
    { mediaPath: '\nGITHUB_API_URL=http://a.test\nNODE_OPTIONS=--require=/x' },
    true,
  ],
  ['a media URL with every quote', { mediaPath: `'"\`\nGITHUB_API_URL=http://a.test\n` }, true],
  ['a media URL that is expanded', { mediaPath: '$HOME/$' + '{LUID_API_KEY}' }, true],
  ['a language that is code', { lang: "en'];process.exit(9);//" }, false],
  ['a model that is a path', { model: '../../x' }, false],
];

test.each(ATTACKS)('%s does no harm', async (name, attack, isWritten) => {
  const harmless = { title: 'A', options: ['a', 'b'], tags: ['c'], mediaPath: 'm', alt: 'd' };
  const names = { fieldName: 'e', setName: 'f', lang: 'en', model: 'note' };
  const space = { ...harmless, ...names, ...attack };
  const folder = join(root, name, 'site');
  const baseUrl = `${service.serve(name.replaceAll(/\W/g, ''), space)}/v1`;
  const { stdout } = await runInit([
    '--yes',
    '--json',
    '--base-url',
    baseUrl,
    '--api-key',
    'k',
    '--dir',
    folder,
  ]);
  expect(stdout !== '').toBe(isWritten);
  expect(existsSync(folder)).toBe(isWritten);
  if (!isWritten) return;
  checkCode(folder, JSON.parse(stdout), space);
  await checkEnv(folder, { baseUrl, apiKey: 'k' });
});

test(`writes correct files or none, whatever the service sends (${RUNS} runs)`, async () => {
  let run = 0;
  let written = 0;
  await fc.assert(
    fc.asyncProperty(
      hostileSpace,
      folderName,
      key,
      path,
      fc.boolean(),
      async (space, name, apiKey, extra, isNew) => {
        run += 1;
        const folder = join(root, String(run), name);
        if (!isNew) write(folder, MINE);
        const before = snapshot(folder);
        const baseUrl = `${service.serve(`r${run}`, space)}${extra}/v1`;
        const args = ['--yes', '--json', '--base-url', baseUrl, `--api-key=${apiKey}`, '--dir', folder];
        const { code, stdout, stderr } = await runInit(args);
        for (const line of stderr.split('\n')) expect(line).toBe(printable(line));
        if (stdout === '') {
          expect(code).toBe(1);
          expect(snapshot(folder)).toEqual(before);
        } else {
          written += 1;
          checkCode(folder, JSON.parse(stdout), space);
          await checkEnv(folder, { baseUrl, apiKey });
        }
        rmSync(dirname(folder), { recursive: true, force: true });
      },
    ),
    { numRuns: RUNS, ...SEED },
  );
  // Most hostile strings are in places where any string may be.
  expect(written).toBeGreaterThan(RUNS / 3);
}, 3_600_000);

function write(folder: string, files: Record<string, string>): void {
  for (const [place, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, place)), { recursive: true });
    writeFileSync(join(folder, place), text);
  }
}

function snapshot(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = files.map((one) => join(one.parentPath, one.name));
  return Object.fromEntries(paths.map((one) => [one.slice(folder.length), readFileSync(one, 'utf8')]));
}

function checkCode(
  folder: string,
  { models }: { models: Record<string, object> },
  space: HostileSpace,
): void {
  const files = snapshot(folder);
  for (const [place, text] of Object.entries(files)) {
    for (const line of text.split('\n')) expect(line, place).toBe(printable(line));
    if (place.endsWith('.ts') || place.endsWith('.mjs')) expect(problemsOf(text), place).toEqual([]);
    if (place.endsWith('.astro')) checkAstro(place, text, basename(folder));
  }
  const declared = parse(files['/src/space.ts'] ?? '');
  expect(declared.statements).toHaveLength(2);
  const { models: found, ...rest } = argumentsOf(declared, 'defineSpace')[0] as { models: object };
  expect(JSON.parse(JSON.stringify(found))).toEqual(models);
  expect(rest).toEqual({ languages: { main: 'ja', sub: [space.lang] } });

  const config = parse(files['/src/content.config.ts'] ?? '');
  const [model, options] = argumentsOf(config, 'space.loader');
  expect(model).toBe(space.model);
  const { body, ...others } = options as { body?: string };
  expect(others).toEqual({ id: 'slug', langs: ['ja', space.lang] });
  if (body !== undefined) expect(Object.keys(models[space.model] ?? {})).toContain(body);
  const names = [...(files['/src/content.config.ts'] ?? '').matchAll(/defineCollection\(/g)];
  expect(names).toHaveLength(1);
}

async function checkEnv(
  folder: string,
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
): Promise<void> {
  const { node, dotenv, vite } = (await readEnvFile(folder)) as Record<string, Record<string, string>>;
  const { LUID_ASSETS_URL, ...rest } = node ?? {};
  expect(rest).toEqual({ LUID_BASE_URL: new URL(baseUrl).href.replace(/\/+$/, ''), LUID_API_KEY: apiKey });
  expect(dotenv).toEqual(node);
  expect(vite).toEqual(node);
  if (LUID_ASSETS_URL !== undefined) expect(new URL(LUID_ASSETS_URL).origin).toBe('http://assets.test');
}

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
}

function problemsOf(text: string): unknown[] {
  return (parse(text) as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics;
}

/** Astro's own compiler takes it, and it has the shape that every such file has, whatever was quoted in it. */
function checkAstro(place: string, text: string, name: string): void {
  const [, frontmatter = '', markup = ''] = /^---\n([\s\S]*?\n)---\n([\s\S]*)$/.exec(text) ?? [];
  expect(problemsOf(frontmatter.replace(/^export async/m, 'async')), place).toEqual([]);
  expect(transform(text, { filename: place }).diagnostics, place).toEqual([]);
  expect(markup).not.toMatch(/<script/);
  for (const [, literal = "''"] of markup.matchAll(/(?:title=|<a href="\/">)\{('(?:\\.|[^'\\\n])*')\}/g)) {
    expect(literalOf(parse(`(${literal})`).statements[0]?.getChildAt(0) as ts.Node)).toBe(name);
  }
}

/** The values of the arguments of the only call of a function. */
function argumentsOf(file: ts.SourceFile, callee: string): unknown[] {
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === callee) calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  expect(calls).toHaveLength(1);
  return (calls[0]?.arguments ?? []).map(literalOf);
}

/** The value of an expression of literals and `field.…()`, which is all that may be there. */
function literalOf(node: ts.Node): unknown {
  if (ts.isParenthesizedExpression(node)) return literalOf(node.expression);
  if (ts.isStringLiteral(node)) return node.text;
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(literalOf);
  if (ts.isObjectLiteralExpression(node)) {
    const object = {};
    for (const property of node.properties) {
      if (!ts.isPropertyAssignment(property)) throw new Error(`odd property ${property.getText()}`);
      const { name } = property;
      const key = ts.isComputedPropertyName(name) ? literalOf(name.expression) : (name as ts.Identifier).text;
      const value = literalOf(property.initializer);
      Object.defineProperty(object, String(key), { value, enumerable: true });
    }
    return object;
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    const build = (field as unknown as Record<string, (...args: unknown[]) => unknown>)[name.text];
    if (expression.getText() === 'field' && build) return build(...node.arguments.map(literalOf));
  }
  throw new Error(`odd expression ${node.getText()}`);
}
