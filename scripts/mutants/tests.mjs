import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process.mjs';

/** Tests that do not judge mutants, because they take minutes or need programs that may not be installed. */
const SLOW = [
  '**/*.{property,slow}.test.ts',
  'test/replica/{cost,leaks,redis,two-processes,under-edits}.test.ts',
];

/** Tests that judge a file in addition to the test of its own name. */
const MORE = {
  'src/entries/sanitize/sanitize-html.ts': ['test/security/sanitize.test.ts'],
  'src/entries/sanitize/sanitize-markdown.ts': ['test/security/sanitize.test.ts'],
  'src/entries/sanitize/sanitize-text.ts': ['test/entries/sanitize/item-sanitizer.test.ts'],
  'src/entries/query/filter.ts': ['test/entries/query/filter-service.test.ts'],
  'src/entries/query/filter-errors.ts': ['test/entries/query/filter.test.ts'],
  'src/replica/sync-replica.ts': ['test/replica/replica.test.ts'],
  'src/replica/store/replica-cache.ts': ['test/replica/replica.test.ts'],
  'src/replica/sync/apply-changes.ts': ['test/replica/sync/sync.test.ts'],
  'src/replica/sync/check-models.ts': ['test/replica/sync/sync.test.ts'],
  'src/replica/sync/full-read.ts': ['test/replica/sync/sync.test.ts'],
  'src/replica/sync/model-group.ts': ['test/replica/sync/session.test.ts'],
  'src/replica/sync/read-models.ts': ['test/replica/sync/model-group.test.ts'],
  'src/replica/sync/next-manifest.ts': ['test/replica/sync/session.test.ts'],
  'src/replica/sync/reconcile/reconcile.ts': ['test/replica/sync/sync.test.ts'],
  'src/replica/sync/progress.ts': ['test/replica/progress-lines.test.ts'],
  'src/replica/store/manifest/stored-models.ts': [
    'test/replica/store/{full-read-times,replica-fingerprint,stored-model-key}.test.ts',
  ],
  'src/replica/store/storage.ts': [
    'test/replica/store/folder-writes.test.ts',
    'test/replica/folder-storage.test.ts',
  ],
};

/** Tests that are named like a file but use a whole service: the smaller tests in `MORE` judge that file instead. */
const WHOLE = ['test/replica/sync/progress.test.ts', 'test/replica/store/storage.test.ts'];

/**
 * The tests that judge the mutants of a file: those of its own name and those that are named for it, so that a test
 * that fails is where the fault is. A file without any is judged by all tests of its folder.
 */
export function testsOf(file) {
  const own = file.replace(/^src/, 'test').replace(/\.ts$/, '.test.ts');
  const named = [
    ...(existsSync(join(root, own)) && !WHOLE.includes(own) ? [own] : []),
    ...(MORE[file] ?? []),
  ];
  return {
    include: named.length > 0 ? named : [`${own.replace(/\/[^/]*$/, '')}/**/*.test.ts`],
    exclude: SLOW,
  };
}
