import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBadImports } from '../../scripts/imports.mjs';

let source: string;
beforeEach(() => {
  source = mkdtempSync(join(tmpdir(), 'astro-luid-imports-'));
});
afterEach(() => rmSync(source, { recursive: true }));

function write(files: Record<string, string>): string[] {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(source, name)), { recursive: true });
    writeFileSync(join(source, name), text);
  }
  return findBadImports(source);
}

test('allowed imports pass', () => {
  expect(
    write({
      'shared/errors.ts': 'export class E {}',
      'contract/a.ts': `import { E } from '../shared/errors.ts'; export { E };`,
      'models/b.ts': `import { E } from '../contract/a.ts'; import './c.ts';`,
      'models/c.ts': `import fs from 'node:fs';`,
    }),
  ).toEqual([]);
});

test('a forbidden import fails with both file names, even for a type', () => {
  expect(
    write({
      'emulator/server.ts': `import type { Client } from '../client/index.ts';`,
      'client/index.ts': 'export interface Client {}',
    }),
  ).toEqual(['emulator/server.ts imports client/index.ts: emulator may not import client']);
});

test('a forbidden import is found in exports, in import() and in import types', () => {
  const problems = write({
    'contract/a.ts': `export * from '../models/x.ts';`,
    'contract/b.ts': `export const b = () => import('../models/x.ts');`,
    'contract/c.ts': `export type C = import('../models/x.ts').X;`,
    'models/x.ts': 'export interface X {}',
  });
  expect(problems).toHaveLength(3);
});

test('a cycle of types fails too', () => {
  expect(
    write({
      'models/a.ts': `import type { B } from './b.ts';`,
      'models/b.ts': `import './a.ts';`,
    }),
  ).toEqual(['cycle: models/a.ts → models/b.ts → models/a.ts']);
});

test('a cycle fails with all its file names', () => {
  expect(
    write({
      'models/a.ts': `import './b.ts';`,
      'models/b.ts': `import './c.ts';`,
      'models/c.ts': `import './a.ts';`,
    }),
  ).toEqual(['cycle: models/a.ts → models/b.ts → models/c.ts → models/a.ts']);
});

test('an unknown folder fails', () => {
  expect(write({ 'utils/a.ts': '' })).toEqual([
    'utils/a.ts: the folder utils is not in ARROWS of scripts/imports.mjs',
  ]);
});

test('Node in what must run anywhere fails with the way to it', () => {
  expect(
    write({
      'client/index.ts': `import './request.ts';`,
      'client/request.ts': `import { setTimeout } from 'node:timers/promises';`,
    }),
  ).toEqual([
    'client/index.ts → client/request.ts imports node:timers/promises: client/index.ts must run anywhere',
  ]);
});

test('Node behind an import() is reached only when asked for, and passes', () => {
  expect(
    write({
      'index.ts': `export const load = () => import('./replica/a.ts');`,
      'replica/a.ts': `import 'node:fs';`,
    }),
  ).toEqual([]);
});

test('an optional peer may be loaded by import() and named in types, not imported', () => {
  const problems = write({
    'entries/a.ts': `import type { Schema } from 'hast-util-sanitize'; export const a = () => import('parse5');`,
    'entries/b.ts': `import { remark } from 'remark'; export const b = remark;`,
  });
  expect(problems).toEqual([expect.stringMatching(/^entries\/b\.ts imports remark, which is optional/)]);
});

test('zod where the client would load it fails with the way to it', () => {
  expect(
    write({
      'client/index.ts': `import '../models/schema.ts';`,
      'models/schema.ts': `import * as z from 'zod'; export const a = z;`,
    }),
  ).toEqual(['client/index.ts → models/schema.ts imports zod: astro-luid/client must not']);
});
