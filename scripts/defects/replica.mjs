/** Tests that name what they check. */
export const NAMED_TESTS = [
  'sync/',
  'read/',
  'store/',
  'during-reads.test.ts',
  'during-reads-archived.slow.test.ts',
  'briefly-hidden.test.ts',
  'briefly-archived.slow.test.ts',
  'items-that-appear.test.ts',
  'languages-apart.test.ts',
  'map-changes.test.ts',
  'replica.test.ts',
  'stale-pages.test.ts',
  'undeclared-content.test.ts',
  'under-edits.test.ts',
].map((name) => `test/replica/${name}`);
/** What those let pass has to be found by these. */
export const RANDOM_TESTS = ['test/replica/never-wrong.property.test.ts'];

/** Defects of the replica, each as edits of files in src: the code, and its replacement. */
export const DEFECTS = {
  'the cursor is of the local clock': [
    [
      'replica/sync/session.ts',
      "this.reached = { kind: 'heads', cursor: cursorOf(heads), fingerprint, neverPublished };",
      'const cursor = { updated: this.now(), published: this.now() };\n' +
        "    this.reached = { kind: 'heads', cursor, fingerprint, neverPublished };",
    ],
  ],
  'the cursor is saved before the data': [
    [
      'replica/sync-replica.ts',
      'await syncLanguage(session);',
      'try {\n' +
        '      await syncLanguage(session);\n' +
        '    } catch (error) {\n' +
        '      const { manifest, written } = await nextManifest(session);\n' +
        '      await cache.snapshot?.commit(manifest, written, session.now());\n' +
        '      throw error;\n' +
        '    }',
    ],
    [
      'replica/sync/sync.ts',
      'const changes = await catchUp(session.headsSource,',
      'session.reachHeads(heads, fingerprintOf(heads));\n  const changes = await catchUp(session.headsSource,',
    ],
  ],
  'pages by plain offset': [
    ['replica/read/scan.ts', 'const STEP = LIMITS.pageSize - 1;', 'const STEP: number = LIMITS.pageSize;'],
    [
      'replica/read/scan.ts',
      'const broken = brokenLink(pages, query.by, wholeSeconds);',
      'const broken = undefined;',
    ],
  ],
  'totals of pages are ignored': [
    [
      'replica/read/scan.ts',
      'const deviating = pagesWithOtherTotal(pages);',
      'const deviating: number[] = [];',
    ],
  ],
  'removal by count': [
    [
      'replica/sync/find-differences.ts',
      '  return joinDifferences(await Promise.all(slices.map((slice) => compareSlice(slice, room))));',
      '  const ranges = slices.map(({ table, range }) => table.between(range.from, range.to));\n' +
        '  const items = (await Promise.all(ranges)).flat();\n' +
        '  if (difference < 0) return { added: [], missing: items.slice(0, -difference), unclear: [] };\n' +
        '  return joinDifferences(await Promise.all(slices.map((slice) => compareSlice(slice, room))));',
    ],
    ['replica/sync/reconcile.ts', 'if (!hidden.has(item._id)) await', 'await'],
  ],
  'a count is compared with earlier heads': [
    [
      'replica/sync/reconcile.ts',
      'if (total === heads.total || isLastCount) return { total };',
      'if (total > 0 || isLastCount) return { total };',
    ],
  ],
  'undeclared content is counted between different heads': [
    ['replica/sync/reconcile.ts', 'if (showSame(heads, after)) return', 'if (heads.total > 0) return'],
  ],
  'equal heads of one second prove that nothing happened': [
    [
      'replica/read/heads.ts',
      'const areAllNamed = data.length >= total || mayGrow;',
      'const areAllNamed = data.length > total && mayGrow;',
    ],
  ],
  'items are compared by _updated_at alone': [
    [
      'replica/sync/model-group.ts',
      'return JSON.stringify(a) === JSON.stringify(b) || isDeepStrictEqual(a, b);',
      'return a._updated_at === b._updated_at;',
    ],
  ],
  'items that became visible repair no references': [
    ['replica/sync/sync.ts', 'await readReferrers(session);', ''],
  ],
  'unconfirmed items wait for a change': [
    [
      'replica/sync/sync.ts',
      'if (synced) await confirmItems(session, synced.heads);',
      'if (synced && !synced.areUnchanged) await confirmItems(session, synced.heads);',
    ],
  ],
  'a second read confirms items while the main language is out of date': [
    ['replica/sync/confirm-items.ts', 'if (unproven.length > 0 &&', 'if (unproven.length < 0 &&'],
  ],
  'another language is confirmed by its own heads': [
    ['replica/sync/confirm-items.ts', 'const areProof = isMainLanguage && (', 'const areProof = ('],
  ],
  'heads confirm items although something known was hidden from them': [
    [
      'replica/sync/confirm-items.ts',
      '(areKnown || (await matchesHeads(session, heads)))',
      'heads.total >= 0',
    ],
  ],
  'any second read needs no proof in the main language': [
    ['replica/sync/confirm-items.ts', '!(areProof && shown.has(id))', '!areProof'],
  ],
  'a second read in the same sync confirms an item': [
    ['replica/sync/visibility-log.ts', 'if (!this.#unconfirmedNow.has(id)) this', 'this'],
  ],
  'undeclared content that is missing twice is gone': [
    ['replica/sync/look-up-undeclared.ts', 'for (const id of missingAgain) missing.add(id);', ''],
  ],
  'one round of the main language tells others nothing new about undeclared content': [
    ['replica/sync/sync.ts', 'if (session.isUndeclaredUnknown) {', 'if (session.concurrency < 0) {'],
  ],
  'a read without heads remembers how much undeclared content there was': [
    [
      'replica/sync/next-manifest.ts',
      "session.reached.kind === 'read without heads' ? null : undeclared.total",
      'undeclared.total',
    ],
  ],
  'a read without heads looks up only what is referred to': [
    [
      'replica/sync/look-up-undeclared.ts',
      'session.undeclared.hasMoved || !heads',
      'session.undeclared.hasMoved',
    ],
  ],
  'of many unconfirmed items some are forgotten': [
    ['replica/sync/sync.ts', 'await expandUnconfirmedModels(session);', ''],
  ],
  'pages of declared models prove that undeclared content was visible': [
    ['replica/sync/referrers.ts', 'return undeclared.total !== 0 &&', 'return undeclared.total === -1 &&'],
  ],
  'items that were read by second prove their references': [
    ['replica/sync/full-read.ts', 'isComplete && read.isFromPages', 'isComplete'],
  ],
  'content that was not found once does not exist': [
    [
      'replica/sync/look-up-undeclared.ts',
      'new Set([...unknown, ...session.undeclared.missingBefore])',
      'new Set(unknown)',
    ],
  ],
  'what is older than its referrer repairs no references': [
    ['replica/sync/referrers.ts', 'createdAt <= newest', 'createdAt > newest'],
  ],
  'what was read again is stored as it was read first': [
    ['replica/store/segment-drafts.ts', 'item === list[at + index]', 'item._id === list[at + index]?._id'],
  ],
  'a disturbed full read is accepted': [
    [
      'replica/sync/sync.ts',
      'models = result.isExplained || round > 1 ? result.unclear : Object.keys(session.models);',
      'models = result.unclear;',
    ],
    ['replica/sync/sync.ts', 'if (!result.isExplained && round > 1) session.needsFullSync = true;', ''],
  ],
  'heads of one second show everything': [['replica/sync/matches-heads.ts', ' || !areConclusive(heads)', '']],
  'what disappeared during a full read is not looked up': [
    ['replica/sync/sync.ts', 'await lookUpUndeclared(session, synced?.heads);', ''],
  ],
  'heads that do not match are remembered': [
    ['replica/sync/sync.ts', 'isConclusive ? fingerprintOf(heads) : null', 'fingerprintOf(heads)'],
  ],
  'stale heads are accepted': [
    [
      'replica/read/heads.ts',
      'if (bypassCdn ? neverPublished >= 0 : isPlausible(heads, known)) return heads;',
      'return heads;',
    ],
    [
      'replica/sync/apply-changes.ts',
      'if (heads.bypassedCdn) return changes;',
      'if (heads.total >= 0) return changes;',
    ],
  ],
  'references to what was removed stay': [
    [
      'replica/make-replica.ts',
      'return lang === undefined ? withoutRemoved(models, manifest, items) : items;',
      'return lang === null ? withoutRemoved(models, manifest, items) : items;',
    ],
  ],
  'damage is not noticed': [
    ['replica/store/segments.ts', 'body !== undefined && hashOf(body) === written', 'body !== undefined'],
  ],
  'an item is unchanged if its id is known': [
    ['replica/store/model-table.ts', '&& facts?.hashes[index] === itemHash(item)', ''],
  ],
};
