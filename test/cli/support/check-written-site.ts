import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { expect } from 'vitest';
import { field } from '../../../src/index.ts';
import { printable } from '../../../src/shared/printable.ts';
import { readEnvFile } from './env-readers.ts';
import type { HostileSpace } from './hostile-space.ts';

const astro = createRequire(import.meta.url).resolve('astro/package.json');
const { transform } = (await import(
  pathToFileURL(createRequire(astro).resolve('@astrojs/compiler-rs')).href
)) as { transform(source: string, options: object): { diagnostics: unknown[] } };

/** The texts of all files, by path. */
export function snapshot(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = files.map((one) => join(one.parentPath, one.name));
  return Object.fromEntries(paths.map((one) => [one.slice(folder.length), readFileSync(one, 'utf8')]));
}

/** The code that `luid init` wrote contains what the service sent as data, and nothing of it as code. */
export function checkCode(
  folder: string,
  { models }: { models: Record<string, object> },
  space: HostileSpace,
): void {
  const files = snapshot(folder);
  for (const [place, text] of Object.entries(files)) {
    for (const line of text.split('\n')) expect(line, place).toBe(printable(line));
    if (place.endsWith('.ts') || place.endsWith('.mjs')) expect(problemsOf(text), place).toEqual([]);
    if (place.endsWith('.astro')) checkAstro(place, text);
  }
  const [, name = "''"] = /^export const name = (.*);$/m.exec(files['/src/settings.ts'] ?? '') ?? [];
  if (files['/src/settings.ts'] !== undefined) expect(literalIn(name)).toBe(basename(folder));
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

/** Every reader of `.env` sees these two variables, and nothing that the service added. */
export async function checkEnv(
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
function checkAstro(place: string, text: string): void {
  const [, frontmatter = '', markup = ''] = /^---\n([\s\S]*?\n)---\n([\s\S]*)$/.exec(text) ?? [];
  expect(problemsOf(frontmatter.replace(/^export async/m, 'async')), place).toEqual([]);
  expect(transform(text, { filename: place }).diagnostics, place).toEqual([]);
  expect(markup).not.toMatch(/<script/);
}

function literalIn(literal: string): unknown {
  return literalOf(parse(`(${literal})`).statements[0]?.getChildAt(0) as ts.Node);
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
