/** Tests that name what they check. */
export const NAMED_TESTS = [
  'test/astro/loader/affected-items.test.ts',
  'test/astro/loader/content-warnings.test.ts',
  'test/astro/loader/partial-items.test.ts',
  'test/astro/loader/plan-update.test.ts',
  'test/astro/loader/stored-members.test.ts',
  'test/replica/item-index.test.ts',
  'test/replica/item-links.test.ts',
  'test/replica/store/change-history.test.ts',
  'test/replica/sync/next-manifest.test.ts',
];
/** What those let pass has to be found by these. */
export const RANDOM_TESTS = ['test/astro/loader/incremental.property.test.ts'];

/** Defects in how a load finds the entries that a change concerns, each as edits of files in src. */
export const DEFECTS = {
  'the boundary of depth is not looked at': [
    ['astro/loader/plan-update.ts', 'Math.max(plan.depth + 1,', 'Math.max(plan.depth,'],
  ],
  'collections that are referred to depend on nothing else': [
    ['astro/loader/plan-update.ts', 'references.size > 0 ? 2 : 1', 'references.size > 0 ? 1 : 1'],
  ],
  'changes of one language are missed': [
    [
      'astro/loader/plan-update.ts',
      'for (const id of ids) changed.add(id);',
      'if (index === 0) for (const id of ids) changed.add(id);',
    ],
  ],
  'references of one language are missed': [
    [
      'astro/loader/plan-update.ts',
      'itemsThatShow(changed, indexes, distance)',
      'itemsThatShow(changed, indexes.slice(0, 1), distance)',
    ],
  ],
  'the neighbours of a removed entry stay': [
    [
      'astro/loader/plan-update.ts',
      'for (const members of [before, after])',
      'for (const members of [after])',
    ],
  ],
  'the neighbours of a new entry stay': [
    [
      'astro/loader/plan-update.ts',
      'for (const members of [before, after])',
      'for (const members of [before])',
    ],
  ],
  'an entry is added where it was': [
    ['astro/loader/plan-update.ts', 'compare(other, member) > 0', 'compare(other, member) < 0'],
  ],
  'an id that another entry has is accepted': [
    ['astro/loader/plan-update.ts', 'entries.some(isTaken)', 'entries.length < 0'],
  ],
  'entries are taken over although an option changed': [
    ['astro/loader/load.ts', '|| stored.configuration !== load.configuration', ''],
  ],
  'a step of the history is skipped': [
    ['replica/store/change-history.ts', 'steps.slice(index + 1)', 'steps.slice(index + 2)'],
  ],
  'what was removed is not in the history': [['replica/sync/next-manifest.ts', '...removed.keys(),', '']],
  'alternative texts are not in the history': [
    ['replica/sync/next-manifest.ts', '...media.map(mediaKey)', ''],
  ],
  'content of undeclared models is not in the history': [
    ['replica/sync/next-manifest.ts', '[...items, ...undeclared,', '[...items,'],
  ],
  'references that accept any model are no links': [
    [
      'replica/item-links.ts',
      "if (typeof value === 'number') links.push(value);",
      "if (typeof value === 'number' && 'model' in field) links.push(value);",
    ],
  ],
  'a link belongs to the item before': [
    ['replica/item-index.ts', '(linkEnds[middle] as number) > link', '(linkEnds[middle] as number) >= link'],
  ],
};
