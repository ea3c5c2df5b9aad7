// biome-ignore-all lint/suspicious/noTemplateCurlyInString: parts of templates in the files
/** Tests that name what they check. */
export const NAMED_TESTS = [
  'test/astro/collection/affected-backlinks.test.ts',
  'test/astro/collection/affected-items.test.ts',
  'test/astro/collection/backlinks.test.ts',
  'test/astro/collection/collection-view.test.ts',
  'test/astro/collection/member-list.test.ts',
  'test/astro/collection/next-view.test.ts',
  'test/astro/loader/backlinks.test.ts',
  'test/astro/loader/built-twice.test.ts',
  'test/astro/loader/changed-options.test.ts',
  'test/astro/loader/content-advice.test.ts',
  'test/astro/loader/duplicate-ids.test.ts',
  'test/astro/loader/references-in-languages.test.ts',
  'test/astro/loader/skipped-entries.test.ts',
  'test/astro/loader/skipped-neighbours.test.ts',
  'test/entries/reference-resolver.test.ts',
  'test/models/reference-paths.test.ts',
  'test/replica/replica.test.ts',
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
      'entryReference(item[luid], targetItems(target.rule, lang), target, findInvalid)',
      'entryReference(item[luid], languageItems, target, findInvalid)',
    ],
  ],
  'references fall back as the entry does, not as their target': [
    [
      'entries/language-content.ts',
      'hasLanguage ? itemsIn(lang, target.fallback)',
      'hasLanguage ? itemsIn(lang, options.fallback)',
    ],
  ],
  'the boundary of depth is not looked at': [
    [
      'astro/collection/view/affected-items.ts',
      'Math.max(depth + 1, filterReach)',
      'Math.max(depth, filterReach)',
    ],
  ],
  'collections that are referred to depend on nothing else': [
    ['astro/collection/view/affected-items.ts', '=> 1 + reachOf(target)', '=> reachOf(target)'],
  ],
  'changes of one language are missed': [
    [
      'astro/loader/entries-to-make.ts',
      'for (const id of ids) changed.add(id);',
      'if (index === 0) for (const id of ids) changed.add(id);',
    ],
  ],
  'references of one language are missed': [
    [
      'astro/collection/view/next-view.ts',
      'itemsThatShow(changed, replicas, reach)',
      'itemsThatShow(changed, replicas.slice(0, 1), reach)',
    ],
  ],
  'the neighbours of a removed entry stay': [
    [
      'astro/collection/view/difference.ts',
      'for (const members of [before, after])',
      'for (const members of [after])',
    ],
  ],
  'the neighbours of a new entry stay': [
    [
      'astro/collection/view/difference.ts',
      'for (const members of [before, after])',
      'for (const members of [before])',
    ],
  ],
  'an entry is added where it was': [
    [
      'astro/collection/view/find-members.ts',
      'return sorted.sort(',
      'return before.length > 0 ? sorted : sorted.sort(',
    ],
  ],
  'an id that another entry has is accepted': [
    ['astro/loader/entries-to-make.ts', 'if (duplicates.size > 0) {', 'if (duplicates.size < 0) {'],
  ],
  'entries are taken over although an option changed': [
    ['astro/loader/entries-to-make.ts', '|| state.collection !== collection.fingerprint', ''],
  ],
  'a step of the history is skipped': [
    ['replica/store/manifest/change-history.ts', 'steps.slice(index + 1)', 'steps.slice(index + 2)'],
  ],
  'what was removed is not in the history': [
    [
      'replica/sync/next-manifest.ts',
      'removed: groups.flatMap(({ removed }) => [...removed.keys()]),',
      'removed: [],',
    ],
  ],
  'removed items that are not noted any more are not in the history': [
    ['replica/sync/next-manifest.ts', ', ...differing(before.removed, next.removed)', ''],
  ],
  'references that accept any model are no links': [
    [
      'replica/item-links.ts',
      "if (typeof value === 'number') links.push(value);",
      "if (typeof value === 'number' && 'model' in field) links.push(value);",
    ],
  ],
  'a link belongs to the item before': [
    [
      'replica/store/segments/facts-format.ts',
      'index === 0 ? 0 : linkEnds[index - 1]',
      'index < 2 ? 0 : linkEnds[index - 2]',
    ],
  ],
  'an entry still lists what does not refer to it any more': [
    [
      'astro/collection/view/affected-items.ts',
      'if (referrers.some((id) => ids.has(id)))',
      'if (item === "")',
    ],
  ],
  'an entry does not list what refers to it now': [
    [
      'astro/collection/view/affected-items.ts',
      "if (models.has(replica.modelOf(id) ?? '')) for",
      "if (models.has('')) for",
    ],
  ],
  'what another language refers to is missed in backlinks': [
    [
      'astro/collection/view/next-view.ts',
      'itemsThatList(affected, settings.backlinks, replicas,',
      'itemsThatList(affected, settings.backlinks, replicas.slice(0, 1),',
    ],
  ],
  'what a load listed is forgotten by the next but one': [
    [
      'astro/collection/view/collection-view.ts',
      'return { ...Object.fromEntries(kept), ...found };',
      'return Object.fromEntries(kept);',
    ],
  ],
  'what other entries listed is forgotten by the next load': [
    [
      'astro/collection/view/collection-view.ts',
      'return { ...Object.fromEntries(kept), ...found };',
      'return found;',
    ],
  ],
  'what is skipped is looked at only once': [
    ['astro/collection/view/next-view.ts', 'for (const id of before.skipped) affected.add(id);', ''],
  ],
  'what backlinks embed is not looked at': [
    [
      'astro/collection/view/affected-items.ts',
      '[rule, ...backlinks].map(reachOf)',
      '[rule, ...backlinks.map((list) => ({ ...list, depth: 0 }))].map(reachOf)',
    ],
  ],
  'the digest does not cover backlinks': [
    ['astro/collection/make/entry-maker.ts', '[JSON.stringify(lists)]', '[lists.length]'],
  ],
  'a list has one backlink more than its limit': [
    ['entries/backlinks.ts', 'items.length >= limit', 'items.length > limit'],
  ],
  'backlinks of equal order are in the order of the replica': [
    ['entries/query/order.ts', 'return compare(a[terms.length], b[terms.length]);', 'return 0;'],
  ],
  'backlinks are found by any block with that field': [
    ['models/reference-paths.ts', 'else if (set === rest[0]) collect', 'else collect'],
  ],
  'backlinks are not filtered': [
    ['astro/collection/view/find-backlinks.ts', 'if (rule.filter(row, cached)) index.add', 'index.add'],
  ],
  'invalid referrers are listed': [
    ['entries/backlinks.ts', 'item && !findInvalid?.(item, languageItems, shape)', 'item'],
  ],
  'references lead to entries that are skipped': [
    [
      'entries/collection.ts',
      'const result = targets && item && memberId(rule, item, targets, findInvalid);',
      'const result = targets && item && memberId(rule, item, targets, findInvalid && undefined);',
    ],
  ],
  'an entry is skipped for an optional reference': [
    [
      'entries/reference-resolver.ts',
      'if (!emptiesInvalid || field.required) because.push(target);',
      'because.push(target);',
    ],
  ],
  'an entry stays without what it must refer to': [
    [
      'entries/reference-resolver.ts',
      'if (!emptiesInvalid || field.required) because.push(target);',
      'if (!emptiesInvalid) because.push(target);',
    ],
  ],
  'the digest covers content that an entry does not show': [
    [
      'entries/reference-resolver.ts',
      "if (depth > 0 && emptiesInvalid && 'issues' in resolve(found, depth - 1)) return undefined;",
      '',
    ],
  ],
  'what is not shown is not checked': [
    ['entries/reference-resolver.ts', '(found) => resolveReference(found, 0));', '() => {});'],
  ],
  'an incremental load does not check new members': [
    [
      'astro/collection/view/find-members.ts',
      'findInvalid && wholeItems(findInvalid)',
      'earlier ? undefined : findInvalid && wholeItems(findInvalid)',
    ],
  ],
  'the second try of an entry is ignored if it is stored': [
    [
      'astro/loader/stage-entries.ts',
      'for (const [id, result] of again) tried.set(id, result);',
      "for (const [id, result] of again) if (result !== 'unchanged') tried.set(id, result);",
    ],
  ],
  'a change of `strict` changes no entry': [
    ['astro/collection/make/data-fingerprint.ts', '${space.settings.strict} ', ''],
  ],
  'a change of the model map changes no entry': [
    ['astro/collection/make/data-fingerprint.ts', '${JSON.stringify(space.models)} ', ''],
  ],
  'a change of the assets URL changes no entry': [
    ['astro/collection/make/data-fingerprint.ts', '${images?.fingerprint} ', ''],
  ],
  'references into another collection with equal options keep its name': [
    ['astro/collection/options/loader-options.ts', '      references,\n      drafts,', '      drafts,'],
  ],
  'a list of backlinks keeps the name that it had': [
    ['astro/collection/options/loader-options.ts', '[list.name, list.depth]', 'list.depth'],
  ],
  'invalid content is accepted after it was skipped': [
    ['astro/loader/build-collection.ts', '${onInvalid} ', ''],
  ],
  'an entry may embed one item more': [
    ['entries/entry-shape.ts', 'result.embedded <= maxEmbedded', 'result.embedded <= maxEmbedded + 1'],
  ],
  'only direct references are counted': [
    ['entries/reference-resolver.ts', 'embedded += 1 + target.embedded;', 'embedded += 1;'],
  ],
  'the first collection with invalid content is the only one in the error': [
    ['astro/loader/content-errors-of-loads.ts', 'await round.ended.promise;', ''],
  ],
  'neighbours of an entry that an incremental load skips lead to it': [
    [
      'astro/loader/make-entries.ts',
      '!collection.settings.order || staged?.skipped.size === 0',
      'staged !== undefined',
    ],
  ],
  'references lead to content of any model': [
    ['entries/collection.ts', 'item._model !== rule.model || ', ''],
  ],
  'what is invalid at one depth is invalid at all': [
    [
      'entries/reference-resolver.ts',
      'const known = all.get(item._id) ?? resolveFresh(item, depth);',
      'let known = all.get(item._id);\n' +
        "    for (const one of resolvedItems.values()) if ('issues' in (one.get(item._id) ?? {})) known = one.get(item._id);\n" +
        '    known ??= resolveFresh(item, depth);',
    ],
  ],
  'items that were used before a repair stay': [['replica/replica.ts', '      this.#items.clear();\n', '']],
  'a load without what the schema of the site rejects is complete': [
    ['astro/loader/stage-entries.ts', 'invalid.length === 0 && images?', 'images?'],
  ],
  'members are those of the last load although the store has others': [
    [
      'astro/loader/entries-to-make.ts',
      'if (!before || before.size !== collection.context.store.keys().length) return',
      'if (!before) return',
    ],
  ],
  'an item without an id is skipped for what else is wrong with it': [
    [
      'entries/collection.ts',
      "return 'id' in result ? (findInvalid?.(item, languageItems, rule) ?? result) : result;",
      'return findInvalid?.(item, languageItems, rule) ?? result;',
    ],
  ],
};
