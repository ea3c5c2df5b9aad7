/** Tests that name what they check. */
export const NAMED_TESTS = [
  'test/astro/loader/affected-backlinks.test.ts',
  'test/astro/loader/affected-items.test.ts',
  'test/astro/loader/backlinks.test.ts',
  'test/astro/loader/content-warnings.test.ts',
  'test/astro/loader/partial-items.test.ts',
  'test/astro/loader/plan-update.test.ts',
  'test/astro/loader/references-in-languages.test.ts',
  'test/astro/loader/stored-members.test.ts',
  'test/entries/backlinks.test.ts',
  'test/models/reference-paths.test.ts',
  'test/replica/item-index.test.ts',
  'test/replica/item-links.test.ts',
  'test/replica/store/change-history.test.ts',
  'test/replica/sync/next-manifest.test.ts',
];
/** What those let pass has to be found by these. */
export const RANDOM_TESTS = [
  'test/astro/loader/backlinks.property.test.ts',
  'test/astro/loader/incremental.property.test.ts',
];

/** Defects in how a load finds the entries that a change concerns, each as edits of files in src. */
export const DEFECTS = {
  'references are resolved in the language of the entry, not of their target': [
    [
      'entries/collection.ts',
      'entryReference(item[luid], targetItems(target.rule, lang), target)',
      'entryReference(item[luid], languageItems, target)',
    ],
  ],
  'references fall back as the entry does, not as their target': [
    [
      'entries/language-content.ts',
      'hasLanguage ? itemsIn(lang, target.fallback)',
      'hasLanguage ? itemsIn(lang, plan.fallback)',
    ],
  ],
  'the boundary of depth is not looked at': [
    ['astro/loader/affected-items.ts', 'Math.max(deepest + 1,', 'Math.max(deepest,'],
  ],
  'collections that are referred to depend on nothing else': [
    ['astro/loader/affected-items.ts', '=> 1 + filterReach', '=> filterReach'],
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
  'an entry still lists what does not refer to it any more': [
    ['astro/loader/affected-backlinks.ts', 'if (referrers.some((id) => ids.has(id)))', 'if (item === "")'],
  ],
  'an entry does not list what refers to it now': [
    [
      'astro/loader/affected-backlinks.ts',
      'if (known && models.has(known.model)) for',
      'if (known === null) for',
    ],
  ],
  'what another language refers to is missed in backlinks': [
    [
      'astro/loader/plan-update.ts',
      'itemsThatList(affected, plan.backlinks, indexes,',
      'itemsThatList(affected, plan.backlinks, indexes.slice(0, 1),',
    ],
  ],
  'what a load listed is forgotten by the next but one': [
    ['astro/loader/plan-update.ts', '...listedReferrers(made) });', '});'],
  ],
  'what backlinks embed is not looked at': [
    [
      'astro/loader/affected-items.ts',
      'Math.max(depth, ...backlinks.map((list) => list.depth))',
      'depth + 0 * backlinks.length',
    ],
  ],
  'the digest does not cover backlinks': [
    ['astro/loader/entry-data.ts', 'JSON.stringify(lists)', 'lists.length'],
  ],
  'a list has one backlink more than its limit': [
    ['entries/backlinks.ts', '.slice(0, limit)', '.slice(0, limit + 1)'],
  ],
  'backlinks of equal order are in the order of the replica': [
    ['entries/order.ts', 'return compare(a[terms.length], b[terms.length]);', 'return 0;'],
  ],
  'backlinks are found by any block with that field': [
    ['models/reference-paths.ts', 'else if (set === rest[0]) collect', 'else collect'],
  ],
  'backlinks are not filtered': [
    ['entries/backlinks.ts', 'if (rule.filter(item, languageItems)) index.add', 'index.add'],
  ],
};
