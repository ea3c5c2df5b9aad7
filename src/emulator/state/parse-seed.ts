import { isLuid, PARENT_SPACE } from '../../contract/luid.ts';
import { checkModels } from '../../models/check.ts';
import { describe } from '../../models/field-types/field-type.ts';
import { parseWebhooks } from './parse-webhooks.ts';
import { SeedConverter } from './seed-converter.ts';
import { parseList, parseObject, throwSeedError } from './seed-parsers.ts';
import type { SeedKey } from './seed-types.ts';
import { type Languages, State } from './state.ts';

/** Creates the state that a seed describes. Throws for an invalid seed, with the path of the problem. */
export function parseSeed(seed: unknown, truncateTime: (time: number) => number): State {
  const root = parseObject(seed, 'seed', [
    '$schema',
    'languages',
    'spaces',
    'keys',
    'models',
    'media',
    'contents',
    'webhooks',
  ]);
  if (root.$schema !== undefined && typeof root.$schema !== 'string') {
    throwSeedError('seed.$schema', `must be the path or URL of a JSON Schema, not ${describe(root.$schema)}`);
  }
  checkModels(root.models, 'seed.models');
  const languages = parseLanguages(root.languages);
  const spaces = parseSpaces(root.spaces);
  const keys = parseKeys(root.keys, spaces);
  const state = new State({ languages, spaces, keys, models: structuredClone(root.models) });
  const converter = new SeedConverter(state, truncateTime);
  for (const [index, media] of parseList(root.media ?? [], 'seed.media').entries()) {
    const path = `seed.media[${index}]`;
    const parsed = converter.parseMedia(media, path);
    if (state.media.has(parsed.id)) throwSeedError(`${path}.id`, `is ${parsed.id}, the id of another media`);
    state.putMedia(parsed);
  }
  for (const [index, content] of parseList(root.contents ?? [], 'seed.contents').entries()) {
    const path = `seed.contents[${index}]`;
    const parsed = converter.parseContent(content, path);
    if (state.items.has(parsed.id))
      throwSeedError(`${path}.id`, `is ${parsed.id}, the id of another content item`);
    state.put(parsed);
  }
  state.setWebhooks(parseWebhooks(root.webhooks ?? [], 'seed.webhooks'));
  return state;
}

function parseLanguages(value: unknown): Languages {
  if (value === undefined) return { main: 'ja', sub: [] };
  const { main, sub = [] } = parseObject(value, 'seed.languages', ['main', 'sub']);
  const parseLanguage = (lang: unknown, path: string): string =>
    typeof lang === 'string' && /^[A-Za-z][A-Za-z0-9_-]*$/.test(lang)
      ? lang
      : throwSeedError(path, `must be a language key, not ${describe(lang)}`);
  const all = [
    parseLanguage(main, 'seed.languages.main'),
    ...parseList(sub, 'seed.languages.sub').map((lang, index) =>
      parseLanguage(lang, `seed.languages.sub[${index}]`),
    ),
  ];
  if (new Set(all).size < all.length) throwSeedError('seed.languages', 'must not contain a language twice');
  return { main: all[0] as string, sub: all.slice(1) };
}

function parseSpaces(value: unknown): ReadonlySet<string> | undefined {
  if (value === undefined) return undefined;
  const luids = parseList(value, 'seed.spaces').map((luid, index) =>
    isLuid(luid) ? luid : throwSeedError(`seed.spaces[${index}]`, `must be a LUID, not ${describe(luid)}`),
  );
  return new Set([PARENT_SPACE, ...luids]);
}

function parseKeys(value: unknown, spaces: ReadonlySet<string> | undefined): ReadonlyMap<string, SeedKey> {
  const keys = new Map<string, SeedKey>();
  for (const [index, entry] of parseList(value, 'seed.keys').entries()) {
    const path = `seed.keys[${index}]`;
    const { key, reads, spaces: keySpaces } = parseObject(entry, path, ['key', 'reads', 'spaces']);
    // A key is sent in a header, so it is limited to the characters of a header value.
    if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key)) {
      return throwSeedError(`${path}.key`, 'must be a string of visible ASCII characters');
    }
    if (reads !== 'published' && reads !== 'drafts') {
      return throwSeedError(`${path}.reads`, `must be "published" or "drafts", not ${describe(reads)}`);
    }
    if (keys.has(key)) throwSeedError(`${path}.key`, 'must not be the same as another key');
    keys.set(
      key,
      keySpaces === undefined
        ? { key, reads }
        : { key, reads, spaces: parseKeySpaces(keySpaces, path, spaces) },
    );
  }
  return keys;
}

function parseKeySpaces(value: unknown, path: string, spaces: ReadonlySet<string> | undefined): string[] {
  return parseList(value, `${path}.spaces`).map((luid, index) =>
    typeof luid === 'string' && (luid === PARENT_SPACE || spaces?.has(luid))
      ? luid
      : throwSeedError(`${path}.spaces[${index}]`, `is ${describe(luid)}, which is not in seed.spaces`),
  );
}
