/** Tests that name what they check. */
export const NAMED_TESTS = [
  'test/replica/memory/changed-items.test.ts',
  'test/replica/memory/memory-replica.test.ts',
  'test/replica/memory/segment-items.test.ts',
  'test/replica/memory/snapshot-reader.test.ts',
  'test/astro/live/from-replica/backlinks.test.ts',
  'test/astro/live/from-replica/changes-during-requests.test.ts',
  'test/astro/live/from-replica/failing-collection.test.ts',
  'test/astro/live/from-replica/query.test.ts',
  'test/astro/live/from-replica/skipped-entries.test.ts',
  'test/astro/live/from-replica/stored-versions.test.ts',
  'test/astro/live/from-replica/replica-live-loader.test.ts',
];
/** What those let pass has to be found by these. */
export const RANDOM_TESTS = ['test/astro/live/from-replica/live-equals-build.property.test.ts'];

/** Defects in what is served from a replica, and in which cached pages a change concerns. */
export const DEFECTS = {
  'facts are those of the segments in the order of the map': [
    ['replica/memory/memory-replica.ts', 'found && isOf(found, segment) ?', 'found ?'],
  ],
  'the boundary of depth is not looked at for cache tags': [
    [
      'astro/live/from-replica/live-replica-of.ts',
      '    changeDistance(\n      plan,',
      '    changeDistance(\n      { ...plan, depth: plan.depth - 1 },',
    ],
  ],
  'neighbours of a changed entry keep their pages': [
    [
      'astro/live/from-replica/changed-tags.ts',
      'for (const one of [member, ...view.neighboursOf(member)])',
      'for (const one of [member])',
    ],
  ],
  'every affected entry is invalidated, whether it differs or not': [
    ['astro/live/from-replica/changed-tags.ts', 'earlier.id === later.id && isSame(', 'false && isSame('],
  ],
  'a changed alternative text invalidates nothing': [
    [
      'replica/memory/changed-items.ts',
      'urls.filter((url) => altOf(old, url) !== altOf(now, url))',
      'urls.filter(() => false)',
    ],
  ],
  'long lists do not show neighbours': [
    [
      'astro/live/from-replica/registered-queries.ts',
      'if (!isLate && !showsChange && !mayDiffer()) {',
      'if (!isLate && !mayDiffer()) {',
    ],
  ],
  'lists that lose an entry are not looked at': [
    [
      'astro/live/from-replica/registered-queries.ts',
      '[before, after].some((view) =>',
      '[after].some((view) =>',
    ],
  ],
  'lists that gain an entry are not looked at': [
    [
      'astro/live/from-replica/registered-queries.ts',
      '[before, after].some((view) =>',
      '[before].some((view) =>',
    ],
  ],
  'what the main language changes is not looked at in others': [
    [
      'astro/live/from-replica/changed-tags.ts',
      'return [changedItems(before.main, after.main), ...subs];',
      'return subs.length > 0 ? subs : [changedItems(before.main, after.main)];',
    ],
  ],
  'removed items are forgotten': [
    ['replica/memory/changed-items.ts', '.filter((id) => !newItems.has(id))', '.filter(() => false)'],
  ],
  'an item of the main language shows although the other has it': [
    ['astro/live/from-replica/language-segments.ts', 'isShown: (id) => !own?.has(id)', 'isShown: () => true'],
  ],
  'the last item of a segment loses its end': [
    ['replica/store/segment-lines.ts', 'index === this.#count - 1 ? next - 1 : next - 2', 'next - 2'],
  ],
  'an offset is applied after the limit': [
    ['astro/live/from-replica/query.ts', 'found.length >= offset + limit', 'found.length >= limit'],
  ],
  'words are compared with their case': [
    ['astro/live/from-replica/query.ts', '.map((word) => word.toLowerCase())', '.map((word) => word)'],
  ],
  'a request sees the newest version at any time': [
    ['astro/live/from-replica/live-replica.ts', 'if (known?.state.hasLangs(langs)) return known.state;', ''],
  ],
  'what an item referred to before keeps its page': [
    [
      'astro/live/from-replica/changed-tags.ts',
      'targetsOfReferrers(affected, backlinks, replicas)',
      'targetsOfReferrers(affected, backlinks, replicasOf(after))',
    ],
  ],
  'what an item refers to now keeps its page': [
    [
      'astro/live/from-replica/changed-tags.ts',
      'targetsOfReferrers(affected, backlinks, replicas)',
      'targetsOfReferrers(affected, backlinks, replicasOf(before))',
    ],
  ],
  'live backlinks do not fall back to the main language': [
    [
      'astro/live/from-replica/live-backlinks.ts',
      'const source = { model: rule.from, fallback };',
      'const source = { model: rule.from, fallback: fallback && false };',
    ],
  ],
  'the first live entry has no backlinks': [
    ['astro/live/from-replica/find-quickly.ts', 'backlinks.length > 0 ||', ''],
  ],
  'content of the same generation is taken for the same': [
    ['astro/live/from-replica/stored-versions.ts', 'hashText(JSON.stringify(manifest))', "''"],
  ],
  'a request that moves to a newer version forgets the older one': [
    [
      'astro/live/from-replica/live-replica.ts',
      'known?.version ?? state.version.number',
      'state.version.number',
    ],
  ],
  'a list of a newer request counts as compared with older ones': [
    [
      'astro/live/from-replica/registered-queries.ts',
      'later.version > version && later.since <= version',
      'later.version > version',
    ],
  ],
  'one collection that fails stops all updates': [
    ['astro/live/from-replica/changed-tags.ts', 'collection.fail(error);', 'throw error;'],
  ],
  'lists of a collection that fails stay in the cache': [
    ['astro/live/from-replica/changed-tags.ts', '[listsTag(name), missingTag(name), ', '[missingTag(name), '],
  ],
  'pages of missing entries stay in the cache if their collection fails': [
    ['astro/live/from-replica/changed-tags.ts', '[listsTag(name), missingTag(name), ', '[listsTag(name), '],
  ],
  'lists do not have the tags of skipped entries': [
    [
      'astro/live/from-replica/replica-live-loader.ts',
      'else if (!isLong) skipped.push(...hintTags(state, entry.id));',
      '',
    ],
  ],
};
