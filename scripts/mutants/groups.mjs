/** Tests that take minutes, or need what may not be installed: small ones beside them must tell mutants apart. */
const SLOW = [
  '**/*.property.test.ts',
  'test/replica/{cost,leaks,redis,torn,two-processes,under-edits}.test.ts',
];

/** Which tests judge which files; of several that fit, the first. */
const GROUPS = [
  {
    name: 'cleaning',
    fits: /^src\/entries\/(?:clean-|sanitize|markdown-cost)/,
    tests: ['test/entries/**/*.test.ts', 'test/security/sanitize.test.ts'],
  },
  { name: 'entries', fits: /^src\/entries\//, tests: ['test/entries/**/*.test.ts'] },
  {
    name: 'sizes',
    fits: /^src\/replica\/(?:sizes|sizes-cache|probe)\.ts$/,
    tests: ['test/replica/{sizes,sizes-cache,probe}.test.ts', 'test/media/sizes.test.ts'],
  },
  {
    name: 'lists',
    fits: /^src\/replica\/(?:model-group|reconcile|scan|source|stable-order)\.ts$/,
    tests: ['test/replica/{model-group,reconcile,scan,source,stable-order}.test.ts'],
  },
  {
    name: 'snapshots',
    fits: /^src\/replica\/(?:snapshot|unused-snapshots)\.ts$/,
    tests: ['test/replica/{snapshot,unused-snapshots}.test.ts'],
  },
  { name: 'opening', fits: /^src\/replica\/replica\.ts$/, tests: ['test/replica/replica.test.ts'] },
  { name: 'replica', fits: /^src\/replica\//, tests: ['test/replica/**/*.test.ts'] },
];

/** The files by the tests that judge them. */
export function groupFiles(files) {
  const groups = GROUPS.map(({ name, tests }) => ({
    name,
    files: [],
    tests: { include: tests, exclude: SLOW },
  }));
  for (const file of files) groups[GROUPS.findIndex(({ fits }) => fits.test(file))]?.files.push(file);
  return groups.filter((group) => group.files.length > 0);
}
