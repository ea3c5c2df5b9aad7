import { isDeepStrictEqual } from 'node:util';
import { LuidError } from '../../errors.ts';
import type { Field } from '../../models/field-types/index.ts';
import type { Fields, ModelMap } from '../../models/types.ts';
import type { Collection } from './collections.ts';
import { loadedModels } from './content-config.ts';
import { parseSource, UnusualSyntax } from './source/parse-source.ts';
import { type DeclaredField, type DeclaredGroup, type DeclaredSets, readSpace } from './source/read-space.ts';

/** Parses a generated space file and compares it with the models that it was generated from. */
export function checkSpaceFile(text: string, models: ModelMap): void {
  guard('src/space.ts', () => {
    const { source, models: declared } = readSpace(text);
    const expected = Object.entries(models).map(([name, fields]) => [name, ofFields(fields)] as const);
    return source.body.length === 2 && isDeepStrictEqual(ofSets(declared), new Map(expected));
  });
}

export function checkContentConfig(text: string, collections: readonly Collection[]): void {
  guard('content.config.ts', () => {
    const source = parseSource(text);
    const loaded = loadedModels(source);
    return (
      source.body.length === 3 && isDeepStrictEqual(loaded, new Set(collections.map(({ model }) => model)))
    );
  });
}

function guard(path: string, isRight: () => boolean): void {
  try {
    if (isRight()) return;
  } catch (error) {
    if (!(error instanceof UnusualSyntax)) throw error;
  }
  throw new LuidError(`The generated ${path} does not match the inferred models, so nothing was written`, {
    hint: 'This is a defect of astro-luid: please report it with the output of --json.',
  });
}

/** What both sides are compared by. */
type Plain = string | null | readonly Plain[] | ReadonlyMap<string, Plain>;

function ofSets({ groups }: DeclaredSets): Plain {
  return new Map([...groups].map(([name, group]) => [name, ofGroup(group)]));
}

function ofGroup(group: DeclaredGroup | undefined): Plain {
  return new Map([...(group?.fields ?? [])].map(([name, field]) => [name, ofDeclared(field)]));
}

function ofDeclared({ type, options, models, isTitle, group, sets }: DeclaredField): Plain {
  return [
    type ?? null,
    options ?? models ?? null,
    isTitle ? 'title' : null,
    group ? ofGroup(group) : sets ? ofSets(sets) : null,
  ];
}

function ofFields(fields: Fields): Plain {
  return new Map(Object.entries(fields).map(([name, field]) => [name, ofField(field as Field)]));
}

function ofField(field: Field): Plain {
  const { type, options, model, title, fields, sets } = field as Field & {
    options?: readonly string[];
    model?: string | readonly string[];
    title?: boolean;
    fields?: Fields;
    sets?: Readonly<Record<string, Fields>>;
  };
  const models = typeof model === 'string' ? [model] : model;
  const inner = sets && new Map(Object.entries(sets).map(([name, group]) => [name, ofFields(group)]));
  return [
    type,
    options ?? models ?? null,
    title ? 'title' : null,
    fields ? ofFields(fields) : (inner ?? null),
  ];
}
