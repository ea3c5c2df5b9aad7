/** Tests that name what they check. */
export const NAMED_TESTS = [
  'test/replica/content/changed-items.test.ts',
  'test/replica/stored-replica.test.ts',
  'test/replica/content/segment-items.test.ts',
  'test/replica/content/snapshot-reader.test.ts',
  'test/astro/live/from-replica/backlinks.test.ts',
  'test/astro/live/from-replica/changes-during-requests.test.ts',
  'test/astro/live/from-replica/failing-collection.test.ts',
  'test/astro/live/from-replica/late-pages.test.ts',
  'test/astro/live/from-replica/lists-by-references.test.ts',
  'test/astro/live/from-replica/outside-cache.test.ts',
  'test/astro/live/from-replica/query.test.ts',
  'test/astro/live/from-replica/registered-queries.test.ts',
  'test/astro/live/from-replica/removed-items.test.ts',
  'test/astro/live/from-replica/served-version.test.ts',
  'test/astro/live/from-replica/skipped-entries.test.ts',
  'test/astro/live/from-replica/skipped-lists.test.ts',
  'test/astro/live/from-replica/stored-content.test.ts',
  'test/astro/live/from-replica/replica-live-loader.test.ts',
  'test/astro/live/from-replica/two-languages.test.ts',
];
/** What those let pass has to be found by these. */
export const RANDOM_TESTS = ['test/astro/live/from-replica/live-equals-build.property.test.ts'];

/** Defects in what is served from a replica, and in which cached pages a change concerns. */
export const DEFECTS = {
  'facts are those of the segments in the order of the map': [
    ['replica/store/segments/stored-facts.ts', 'own && isOf(own, segment) ?', 'own ?'],
  ],
  'the boundary of depth is not looked at for cache tags': [
    [
      'astro/collection/view/next-view.ts',
      'Math.max(distance, changeDistance(collection))',
      'Math.max(distance, changeDistance(collection) - 1)',
    ],
  ],
  'neighbours of a changed entry keep their pages': [
    [
      'astro/collection/view/difference.ts',
      'for (const one of [member, ...members.neighboursOf(member)])',
      'for (const one of [member])',
    ],
  ],
  'every affected entry is invalidated, whether it differs or not': [
    ['astro/live/tags/find-change.ts', 'before?.id === member.id &&', 'before === undefined &&'],
  ],
  'long lists do not show neighbours': [
    ['astro/live/tags/registered-queries.ts', 'if (!showsChange && !mayDiffer()) {', 'if (!mayDiffer()) {'],
  ],
  'lists that lose an entry are not looked at': [
    ['astro/live/tags/registered-queries.ts', '[before, after].some((view) =>', '[after].some((view) =>'],
  ],
  'lists that gain an entry are not looked at': [
    ['astro/live/tags/registered-queries.ts', '[before, after].some((view) =>', '[before].some((view) =>'],
  ],
  'what the main language changes is not looked at in others': [
    [
      'astro/live/tags/find-change.ts',
      'return [changedItems(before.main, after.main), ...subs];',
      'return subs.length > 0 ? subs : [changedItems(before.main, after.main)];',
    ],
  ],
  'removed items are forgotten': [
    ['replica/content/changed-items.ts', '.filter((id) => !newItems.has(id))', '.filter(() => false)'],
  ],
  'an item of the main language shows although the other has it': [
    ['astro/collection/view/shown-segments.ts', 'isShown: (id) => !own?.has(id)', 'isShown: () => true'],
  ],
  'the last item of a segment loses its end': [
    [
      'replica/store/segments/segment-lines.ts',
      'index === this.#count - 1 ? next - 1 : next - 2',
      'next - 2',
    ],
  ],
  'an offset is applied after the limit': [
    ['astro/live/serve/query.ts', 'found.length >= offset + limit', 'found.length >= limit'],
  ],
  'words are compared with their case': [
    ['astro/live/serve/query.ts', '.map((word) => word.toLowerCase())', '.map((word) => word)'],
  ],
  'a request sees the newest version at any time': [
    ['astro/live/check/live-replica.ts', 'if (known?.state.hasLangs(langs)) return known.state;', ''],
  ],
  'what an item referred to before keeps its page': [
    [
      'astro/collection/view/next-view.ts',
      'itemsThatList(affected, settings.backlinks, replicas, before.listed)',
      'itemsThatList(affected, settings.backlinks, replicas, [])',
    ],
  ],
  'what an item refers to now keeps its page': [
    [
      'astro/collection/view/next-view.ts',
      'itemsThatList(affected, settings.backlinks, replicas, before.listed)',
      'itemsThatList(affected, settings.backlinks, [], before.listed)',
    ],
  ],
  'live backlinks do not fall back to the main language': [
    [
      'astro/collection/view/find-backlinks.ts',
      'fallback: settings.rule.fallback };',
      'fallback: settings.rule.fallback && false };',
    ],
  ],
  'the first live entry has no backlinks': [
    ['astro/live/serve/find-quickly.ts', '|| backlinks.length > 0', ''],
  ],
  'content of the same generation is taken for the same': [
    ['astro/live/check/stored-content.ts', 'manifest.generation, fingerprint]', 'manifest.generation]'],
  ],
  'a request that moves to a newer version forgets the older one': [
    ['astro/live/check/live-replica.ts', 'known?.version ?? state.number', 'state.number'],
  ],
  'one collection that fails stops all updates': [
    ['astro/live/tags/find-change.ts', 'reports.fail(collection, error);', 'throw error;'],
  ],
  'pages of entries stay in the cache if their collection fails': [
    [
      'astro/live/tags/cache-tags.ts',
      'return [entriesTag(collection), listsTag(collection)];',
      'return [listsTag(collection)];',
    ],
  ],
  'pages that show something late are cached': [
    ['astro/live/live-sources.ts', 'tag === LATE_TAG || changed', 'changed'],
  ],
  'lists of a collection that fails stay in the cache': [
    [
      'astro/live/tags/cache-tags.ts',
      'return [entriesTag(collection), listsTag(collection)];',
      'return [entriesTag(collection)];',
    ],
  ],
  'a live collection has invalid entries': [
    [
      'astro/collection/view/find-members.ts',
      'findInvalid && wholeItems(findInvalid)',
      'findInvalid && undefined',
    ],
  ],
  'an item is judged by the columns of its row': [
    ['astro/collection/view/find-members.ts', 'findInvalid && wholeItems(findInvalid)', 'findInvalid'],
  ],
  'live backlinks and references lead to invalid content': [
    [
      'astro/collection/view/collection-view.ts',
      'references, backlinks, findInvalid };',
      'references, backlinks, findInvalid: undefined };',
    ],
  ],
  'an invalid entry is found as long as its collection is not prepared': [
    [
      'astro/live/serve/find-quickly.ts',
      'usesColumns: false }',
      'usesColumns: false, findInvalid: async () => undefined }',
    ],
  ],
  'the depth of referenced collections is not looked at': [
    ['astro/collection/view/affected-items.ts', '=> target.rule)', '=> ({ ...target.rule, depth: 0 }))'],
  ],
  'lists that differ in their language only are one': [
    ['astro/live/tags/cache-tags.ts', '    lang ?? null,\n', ''],
  ],
  'an entry is named without its language': [
    ['astro/collection/view/difference.ts', 'near[one.language]?.add', 'near[0]?.add'],
  ],
  'an entry may be the same in another language': [
    [
      'astro/collection/view/difference.ts',
      'before.member(member.language, member.itemId)',
      'before.member(0, member.itemId)',
    ],
  ],
  'removed items have no tags of their own': [
    [
      'astro/live/tags/find-change.ts',
      '[...replicasOf(after.content), ...replicasOf(before.content)]',
      'replicasOf(after.content)',
    ],
  ],
  'collections that are used while a version is prepared count as compared': [
    ['astro/live/check/served-version.ts', '    before.covered = new Set(before.used);\n', ''],
  ],
  'lists that are first shown while a version is prepared stay in the cache': [
    ['astro/live/serve/replica-live-loader.ts', '[covered ? LATE_TAG : collection', '[collection'],
  ],
  'lists of any language are looked at in the first one': [
    ['astro/live/tags/registered-queries.ts', 'view.languages[member.language];', 'view.languages[0];'],
  ],
  'lists show changes as far away as entries do': [
    ['astro/live/tags/find-change.ts', 'const LIST_DISTANCE = 2;', 'const LIST_DISTANCE = 1;'],
  ],
  'languages that are new count as compared': [
    [
      'astro/live/tags/find-change.ts',
      'const next = hasSameLanguages ? await',
      'const next = content ? await',
    ],
  ],
  'changes of other languages are compared backwards': [
    ['astro/live/tags/find-change.ts', '[changedItems(old, replica)]', '[changedItems(replica, old)]'],
  ],
  'lists that differ in their words only are one': [
    ['astro/live/tags/cache-tags.ts', '    contains ?? null,\n', ''],
  ],
};
