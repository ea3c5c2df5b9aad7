import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process.mjs';

/** Tests that take minutes, or need what may not be installed: small ones beside them must tell mutants apart. */
const SLOW = [
  '**/*.{property,slow}.test.ts',
  'test/replica/{cost,leaks,redis,two-processes,under-edits}.test.ts',
];

/** Tests beside the one of a file's own name. */
const MORE = {
  'src/entries/sanitize/sanitize-html.ts': ['test/security/sanitize.test.ts'],
  'src/entries/sanitize/sanitize-markdown.ts': ['test/security/sanitize.test.ts'],
  'src/entries/sanitize/sanitize-text.ts': ['test/entries/sanitize/item-sanitizer.test.ts'],
  'src/entries/filter.ts': ['test/entries/filter-service.test.ts'],
  'src/replica/cached-replica.ts': ['test/replica/replica.test.ts'],
  'src/replica/make-replica.ts': ['test/replica/replica.test.ts'],
  'src/replica/replica-items.ts': ['test/replica/replica.test.ts'],
  'src/replica/sync-replica.ts': ['test/replica/replica.test.ts'],
  'src/replica/store/model-table.ts': ['test/replica/store/segment-drafts.test.ts'],
  'src/replica/store/replica-cache.ts': ['test/replica/replica.test.ts'],
  'src/replica/sync/apply-changes.ts': ['test/replica/sync/sync.test.ts'],
  'src/replica/sync/check-models.ts': ['test/replica/sync/sync.test.ts'],
  'src/replica/sync/confirm-items.ts': ['test/replica/sync/sync.test.ts'],
  'src/replica/sync/full-read.ts': ['test/replica/sync/sync.test.ts'],
  'src/replica/sync/matches-heads.ts': [
    'test/replica/sync/sync.test.ts',
    'test/replica/sync/confirm-items.test.ts',
  ],
  'src/replica/sync/model-group.ts': ['test/replica/sync/session.test.ts'],
  'src/replica/sync/next-manifest.ts': ['test/replica/sync/session.test.ts'],
  'src/replica/sync/read-main-changes.ts': ['test/replica/sync/sync.test.ts'],
  'src/replica/sync/reconcile.ts': ['test/replica/sync/sync.test.ts'],
  'src/replica/sync/undeclared-content.ts': ['test/replica/sync/session.test.ts'],
  'src/replica/sync/visibility-log.ts': ['test/replica/sync/session.test.ts'],
  'src/replica/sync/progress.ts': ['test/replica/progress-lines.test.ts'],
  'src/replica/store/storage.ts': [
    'test/replica/store/folder-writes.test.ts',
    'test/replica/folder-storage.test.ts',
  ],
};

/** Tests of a file's own name that work with a whole service; the small ones beside them are enough. */
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
