import { describe, expect, it } from 'vitest';
import { parseSelect, splitNames } from '../../../src/emulator/read/parse-select.ts';

describe('parseSelect', () => {
  it('selects everything without names', () => {
    expect(parseSelect(undefined)).toBeUndefined();
    expect(parseSelect(' , ')).toBeUndefined();
  });

  it('builds a tree of paths', () => {
    expect(parseSelect('title,author.name,author.portrait')).toEqual(
      new Map<string, unknown>([
        ['title', 'all'],
        [
          'author',
          new Map([
            ['name', 'all'],
            ['portrait', 'all'],
          ]),
        ],
      ]),
    );
  });

  it('selects the whole field if it is named, before or after a path inside it', () => {
    expect(parseSelect('author,author.name')).toEqual(new Map([['author', 'all']]));
    expect(parseSelect('author.name,author')).toEqual(new Map([['author', 'all']]));
  });
});

describe('splitNames', () => {
  it('trims names and drops empty ones', () => {
    expect(splitNames(' a, b,,')).toEqual(['a', 'b']);
    expect(splitNames(undefined)).toEqual([]);
  });
});
