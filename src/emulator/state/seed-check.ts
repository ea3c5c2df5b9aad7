import { isLuid, PARENT_SPACE } from '../../contract/luid.ts';
import { checkModels } from '../../models/check.ts';
import { describe } from '../../models/field-types/field-type.ts';
import { Intaker } from './intake.ts';
import { list, record, refuse } from './place.ts';
import type { SeedKey } from './seed.ts';
import { type Languages, State } from './state.ts';

/** Builds the state of a seed, or refuses the seed, naming the place in it. */
export function readSeed(seed: unknown, time: (time: number) => number): State {
  const root = record(seed, 'seed', [
    '$schema',
    'languages',
    'spaces',
    'keys',
    'models',
    'media',
    'contents',
  ]);
  if (root.$schema !== undefined && typeof root.$schema !== 'string') {
    refuse('seed.$schema', `must be the path or URL of a JSON Schema, not ${describe(root.$schema)}`);
  }
  checkModels(root.models, 'seed.models');
  const languages = readLanguages(root.languages);
  const spaces = readSpaces(root.spaces);
  const keys = readKeys(root.keys, spaces);
  const state = new State({ languages, spaces, keys, models: structuredClone(root.models) });
  const intaker = new Intaker(state, time);
  for (const [index, media] of list(root.media ?? [], 'seed.media').entries()) {
    const place = `seed.media[${index}]`;
    const taken = intaker.media(media, place);
    if (state.media.has(taken.id)) refuse(`${place}.id`, `is ${taken.id}, which another media has`);
    state.putMedia(taken);
  }
  for (const [index, content] of list(root.contents ?? [], 'seed.contents').entries()) {
    const place = `seed.contents[${index}]`;
    const taken = intaker.content(content, place);
    if (state.items.has(taken.id)) refuse(`${place}.id`, `is ${taken.id}, which another content has`);
    state.put(taken);
  }
  return state;
}

function readLanguages(value: unknown): Languages {
  if (value === undefined) return { main: 'ja', sub: [] };
  const { main, sub = [] } = record(value, 'seed.languages', ['main', 'sub']);
  const language = (lang: unknown, place: string): string =>
    typeof lang === 'string' && /^[A-Za-z][A-Za-z0-9_-]*$/.test(lang)
      ? lang
      : refuse(place, `is ${describe(lang)}, which is no language key`);
  const all = [
    language(main, 'seed.languages.main'),
    ...list(sub, 'seed.languages.sub').map((lang, index) => language(lang, `seed.languages.sub[${index}]`)),
  ];
  if (new Set(all).size < all.length) refuse('seed.languages', 'names a language twice');
  return { main: all[0] as string, sub: all.slice(1) };
}

function readSpaces(value: unknown): ReadonlySet<string> | undefined {
  if (value === undefined) return undefined;
  const luids = list(value, 'seed.spaces').map((luid, index) =>
    isLuid(luid) ? luid : refuse(`seed.spaces[${index}]`, `is ${describe(luid)}, which is no LUID`),
  );
  return new Set([PARENT_SPACE, ...luids]);
}

function readKeys(value: unknown, spaces: ReadonlySet<string> | undefined): ReadonlyMap<string, SeedKey> {
  const keys = new Map<string, SeedKey>();
  for (const [index, entry] of list(value, 'seed.keys').entries()) {
    const place = `seed.keys[${index}]`;
    const { key, reads, spaces: only } = record(entry, place, ['key', 'reads', 'spaces']);
    // A key travels in a header, so it can hold only what a header can.
    if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key)) {
      return refuse(`${place}.key`, 'is no text of visible ASCII characters');
    }
    if (reads !== 'published' && reads !== 'drafts') {
      return refuse(`${place}.reads`, `is ${describe(reads)}; write "published" or "drafts"`);
    }
    if (keys.has(key)) refuse(`${place}.key`, 'is there twice');
    keys.set(
      key,
      only === undefined ? { key, reads } : { key, reads, spaces: keySpaces(only, place, spaces) },
    );
  }
  return keys;
}

function keySpaces(value: unknown, place: string, spaces: ReadonlySet<string> | undefined): string[] {
  return list(value, `${place}.spaces`).map((luid, index) =>
    typeof luid === 'string' && (luid === PARENT_SPACE || spaces?.has(luid))
      ? luid
      : refuse(`${place}.spaces[${index}]`, `is ${describe(luid)}, which is not in seed.spaces`),
  );
}
