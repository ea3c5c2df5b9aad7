/** Tests that name what they check. */
export const NAMED_TESTS = ['test/emulator/studio/'];
export const RANDOM_TESTS = [];

const STUDIO = 'emulator/studio';

/** Defects of the studio's API, each as edits of files in src: the code, and its replacement. */
export const DEFECTS = {
  'studio: every token is accepted': [
    [`${STUDIO}/studio.ts`, 'throw new HttpError(401);', 'this.#context.log;'],
  ],
  'studio: it is served although it is off': [
    ['emulator/emulator.ts', 'if (this.#studioToken === undefined) return false;', ''],
  ],
  'studio: it takes the requests of clients for its page': [
    [
      'emulator/emulator.ts',
      'isRead && isBrowser && !headers.has(this.#context.header)',
      'isRead && isBrowser',
    ],
  ],
  'studio: inline scripts are allowed': [
    [`${STUDIO}/page-files.ts`, `"script-src 'self'"`, `"script-src 'self' 'unsafe-inline'"`],
  ],
  'studio: an outdated version is overwritten': [
    [
      `${STUDIO}/item-changes.ts`,
      'if (isOutdated) throw conflict(',
      'if (!isOutdated && isOutdated) throw conflict(',
    ],
  ],
  'studio: the version does not depend on the archive': [
    [
      `${STUDIO}/item-view.ts`,
      'JSON.stringify(converter.toSeedContent(item))',
      'JSON.stringify({ ...converter.toSeedContent(item), archived: 0 })',
    ],
  ],
  'studio: a link to another model is accepted': [
    [`${STUDIO}/field-problems.ts`, "typeof value !== 'number'", "typeof value === 'number'"],
  ],
  'studio: a link to archived content cannot stay': [[`${STUDIO}/field-problems.ts`, '!isKnown && ', '']],
  'studio: only the first problem is named': [
    [
      `${STUDIO}/item-changes.ts`,
      'throw invalidValues(problems)',
      'throw invalidValues(problems.slice(0, 1))',
    ],
  ],
  'studio: published content without a draft can be published': [
    [`${STUDIO}/item-changes.ts`, 'if (!item.draft) throw', 'if (item.id === 0) throw'],
  ],
  'studio: content that is not archived can be deleted': [
    [`${STUDIO}/item-changes.ts`, 'if (!archived) throw', 'if (archived === undefined) throw'],
  ],
  'studio: the effect of discarding is always now': [
    [`${STUDIO}/describe-space.ts`, "restore: 'before-draft', now", "restore: 'now', now"],
  ],
  'studio: a copy prefers published data': [
    [
      'emulator/write/transitions.ts',
      'draft: { ...published, ...draft } };',
      'draft: { ...draft, ...published } };',
    ],
  ],
  'studio: a search needs one word only': [
    [`${STUDIO}/item-search.ts`, 'words.every((word) => text', 'words.some((word) => text'],
  ],
  'studio: a list is kept although something changed': [
    [`${STUDIO}/item-search.ts`, ' && this.#sorted.revision === revision', ''],
  ],
  'studio: the page of a search is that of the last search': [
    [
      `${STUDIO}/item-search.ts`,
      'this.#found?.from === from && this.#found.id === id',
      'this.#found?.from === from',
    ],
  ],
  'studio: activity is not reported for changes in code': [
    [
      'emulator/emulator.ts',
      '          else writeQueue.saveWithoutMedia(removedMedia);\n          this.#reportActivity();',
      '          else writeQueue.saveWithoutMedia(removedMedia);',
    ],
  ],
  'studio: a page that waits misses faults': [
    [
      `${STUDIO}/fault-switches.ts`,
      '    this.#updatePurgeDelay();\n    this.#context.reportActivity();',
      '    this.#updatePurgeDelay();',
    ],
  ],
  'studio: the numbers of requests begin again when the log is cleared': [
    ['emulator/http/request-log.ts', '  clear(): void {\n', '  clear(): void {\n    this.total = 0;\n'],
  ],
  'studio: faults concern files': [
    [`${STUDIO}/fault-switches.ts`, "match: ({ path }) => path.startsWith('/v1/'),", ''],
  ],
  'studio: the CDN stays stale after its fault': [
    [`${STUDIO}/fault-switches.ts`, 'requestContext().cdn?.clear();', 'requestContext();'],
  ],
  'studio: the purge delay is lost after a fault': [
    [`${STUDIO}/fault-switches.ts`, 'delay ?? this.#usualPurgeDelay;', 'delay ?? 0;'],
  ],
  'studio: a stale CDN ends one request early': [
    [`${STUDIO}/fault-switches.ts`, 'if (left === 0) this.list();', 'if (left <= 1) left = 0;'],
  ],
  'studio: the response is that of the CDN': [
    [`${STUDIO}/read-api-response.ts`, '    cdn: undefined,\n', ''],
  ],
  'studio: the response counts against the rate limit': [
    [`${STUDIO}/read-api-response.ts`, '    rateLimit: undefined,\n', ''],
  ],
  'studio: any path can be read': [
    [`${STUDIO}/read-api-response.ts`, '!/^\\/contents(?:[/?]|$)/.test(path) || ', ''],
  ],
  'studio: images of the page are requests of a site': [
    [
      'emulator/emulator.ts',
      "if (path.startsWith('/_studio/')) return true;",
      "if (path.startsWith('/_studio/')) return !path.includes('assets');",
    ],
  ],
};
