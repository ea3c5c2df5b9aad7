import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { textOf } from './documents.ts';

const ROOT = join(import.meta.dirname, '../..');
const FILES = globSync('src/**/*.ts', { cwd: ROOT }).map((file) => ({
  file,
  source: readFileSync(join(ROOT, file), 'utf8'),
}));

const ERROR_CLASS = /^(?:Luid(?:Config|Request|Response|Content)?Error|HookError)$/;
/** How the problems start that the client finds in a response. */
const RESPONSE_PROBLEM = /^the (?:response|list|page) /;

/** Every message in the first column of a table, `…` for what varies. */
const documented = [...textOf('docs/reference/errors.md').matchAll(/^\| (`.*?`) \|/gm)].flatMap(
  ([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
);

/** The parts of a documented message that do not vary. */
function fixedParts(message: string): string[] {
  return message
    .replace(/^\[GET\] …: (\d{3} …)?/, '')
    .split('…')
    .map((part) =>
      part
        .trim()
        .replace(/^[:,.]|[:,.]$/g, '')
        .trim(),
    )
    .filter((part) => part.length > 2);
}

/** The text of a string or template, `…` for each expression; of a conditional, both texts. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (!ts.isTemplateExpression(node)) return [];
  return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')];
}

/** The messages in a file that are written where an error is created, but for those that consist of variables. */
function messagesIn({ file, source }: (typeof FILES)[number]): string[] {
  const isClient = file.startsWith('src/client/');
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && ERROR_CLASS.test(node.expression.getText()) && node.arguments?.[0]) {
      found.push(...textsOf(node.arguments[0]));
    } else if (isClient && ts.isPropertyAssignment(node) && node.name.getText() === 'message') {
      found.push(...textsOf(node.initializer));
    } else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      found.push(...textsOf(node).filter((text) => RESPONSE_PROBLEM.test(text)));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return found.filter((message) => fixedParts(message).some((part) => part.includes(' ')));
}

test('every documented message is in the code', () => {
  expect(documented.length).toBeGreaterThan(60);
  const unknown = documented.filter((message) => {
    const parts = fixedParts(message);
    return !FILES.some(({ source }) => parts.every((part) => source.includes(part)));
  });
  expect(unknown).toEqual([]);
});

test('every error message in the code is documented', () => {
  const messages = new Set(FILES.flatMap(messagesIn));
  expect(messages.size).toBeGreaterThan(60);
  const patterns = documented.map(fixedParts).filter((parts) => parts.length > 0);
  const undocumented = [...messages].filter(
    (message) => !patterns.some((parts) => parts.every((part) => message.includes(part))),
  );
  expect(undocumented).toEqual([]);
});
