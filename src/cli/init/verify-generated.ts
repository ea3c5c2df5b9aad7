import { isDeepStrictEqual } from 'node:util';
import { LuidError } from '../../errors.ts';
import type { Field } from '../../models/field-types/index.ts';
import type { Fields, ModelMap } from '../../models/types.ts';
import type { Collection } from './collections.ts';
import { loadedModels } from './content-config.ts';
import { parseSource, UnsupportedSyntaxError } from './source/parse-source.ts';
import { type DeclaredField, type DeclaredGroup, type DeclaredSets, readSpace } from './source/read-space.ts';

/** Parses a generated space file and compares it with the models it was generated from. */
export function checkSpaceFile(text: string, models: ModelMap): void {
  verify('src/space.ts', () => {
    const { source, models: declared } = readSpace(text);
    const expected = Object.entries(models).map(
      ([name, fields]) => [name, comparableFields(fields)] as const,
    );
    return source.body.length === 2 && isDeepStrictEqual(comparableSets(declared), new Map(expected));
  });
}

export function checkContentConfig(text: string, collections: readonly Collection[]): void {
  verify('content.config.ts', () => {
    const source = parseSource(text);
    const loaded = loadedModels(source);
    return (
      source.body.length === 3 && isDeepStrictEqual(loaded, new Set(collections.map(({ model }) => model)))
    );
  });
}

function verify(path: string, isCorrect: () => boolean): void {
  try {
    if (isCorrect()) return;
  } catch (error) {
    if (!(error instanceof UnsupportedSyntaxError)) throw error;
  }
  throw new LuidError(`The generated ${path} does not match the inferred models, so nothing was written`, {
    hint: 'This is a bug in astro-luid: please report it with the output of --json.',
  });
}

/** A comparable form of declared and of inferred fields. */
type Comparable = string | null | readonly Comparable[] | ReadonlyMap<string, Comparable>;

function comparableSets({ groups }: DeclaredSets): Comparable {
  return new Map([...groups].map(([name, group]) => [name, comparableGroup(group)]));
}

function comparableGroup(group: DeclaredGroup | undefined): Comparable {
  return new Map([...(group?.fields ?? [])].map(([name, field]) => [name, comparableDeclaration(field)]));
}

function comparableDeclaration({ type, options, models, isTitle, group, sets }: DeclaredField): Comparable {
  return [
    type ?? null,
    options ?? models ?? null,
    isTitle ? 'title' : null,
    group ? comparableGroup(group) : sets ? comparableSets(sets) : null,
  ];
}

function comparableFields(fields: Fields): Comparable {
  return new Map(Object.entries(fields).map(([name, field]) => [name, comparableField(field as Field)]));
}

function comparableField(field: Field): Comparable {
  const { type, options, model, title, fields, sets } = field as Field & {
    options?: readonly string[];
    model?: string | readonly string[];
    title?: boolean;
    fields?: Fields;
    sets?: Readonly<Record<string, Fields>>;
  };
  const models = typeof model === 'string' ? [model] : model;
  const inner = sets && new Map(Object.entries(sets).map(([name, group]) => [name, comparableFields(group)]));
  return [
    type,
    options ?? models ?? null,
    title ? 'title' : null,
    fields ? comparableFields(fields) : (inner ?? null),
  ];
}
