/** Tests that name what they check. */
export const NAMED_TESTS = [
  'sync/',
  'read/',
  'store/',
  'during-reads.test.ts',
  'during-reads-archived.slow.test.ts',
  'known-pages/',
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
      'replica/sync/sync.ts',
      'session.reached = { cursor: cursorOf(heads), heads:',
      'const cursor = { updated: session.now(), published: session.now() };\n  session.reached = { cursor, heads:',
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
      'session.reached = { cursor: cursorOf(heads), heads: fingerprintOf(heads) };\n    const changes = await catchUp(session.headsSource,',
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
      'replica/sync/reconcile/find-differences.ts',
      '  if (parts.length === 1) return compare(tables, range);',
      '  if (parts.length === 1 && difference < 0) {\n' +
        '    const all = tables.groups.flatMap(({ tables: some }) => [...some.values()]);\n' +
        '    const items = (await Promise.all(all.map((table) => table.between(range.from, range.to)))).flat();\n' +
        '    return { added: [], missing: items.slice(0, -difference), unclear: [] };\n' +
        '  }\n' +
        '  if (parts.length === 1) return compare(tables, range);',
    ],
    ['replica/sync/reconcile/reconcile.ts', 'if (!found.has(item._id)) await', 'await'],
  ],
  'a count is compared with earlier heads': [
    ['replica/sync/reconcile/reconcile.ts', 'if (total !== heads.total) return', 'if (total < 0) return'],
  ],
  'items are compared by _updated_at alone': [
    [
      'replica/sync/model-group.ts',
      'if (JSON.stringify(a) === JSON.stringify(b)) return true;',
      'if (a._updated_at === b._updated_at) return true;',
    ],
  ],
  'items that became visible repair no references': [
    ['replica/sync/sync.ts', 'await readReferrers(session);', ''],
  ],
  'what was read one by one is not read again': [['replica/sync/sync.ts', 'await readAgain(session);', '']],
  'what was read one by one waits for a change': [
    ['replica/sync/sync.ts', 'await readAgain(session);', 'if (!areUnchanged) await readAgain(session);'],
  ],
  'what is read again may be older than what it refers to': [
    [
      'replica/sync/sync.ts',
      "plan.bypassCdn || (left !== 'everything' && left.length > 0)",
      'plan.bypassCdn',
    ],
  ],
  'what a second read changes is not read again': [
    [
      'replica/sync/session.ts',
      "if (result !== 'unchanged') readNextTime",
      "if (result === 'new') readNextTime",
    ],
  ],
  'of too much to read again nothing is read': [
    [
      'replica/sync/next-manifest.ts',
      "toReadNextTime.size > MAX_READ_AGAIN ? 'everything'",
      'toReadNextTime.size > MAX_READ_AGAIN ? []',
    ],
  ],
  'a full read in another language proves its references': [
    ['replica/sync/full-read.ts', 'isOneList && session.isMainLanguage && isSteady', 'isOneList && isSteady'],
  ],
  'items that were read by second prove their references': [
    ['replica/sync/full-read.ts', '&& isSteady && isFromPages;', '&& isSteady;'],
  ],
  'a full read in several formats proves its references': [
    ['replica/sync/full-read.ts', 'const isProof = isOneList &&', 'const isProof = isComplete &&'],
  ],
  'what is older than its referrer repairs no references': [
    ['replica/sync/referrers.ts', 'createdAt(target) <= newest', 'createdAt(target) > newest'],
  ],
  'a disturbed full read is accepted': [
    ['replica/sync/sync.ts', 'if (isComplete && !isAccountedFor(around)) {', 'if (round < 0) {'],
  ],
  'heads of one second show everything': [
    ['replica/sync/reconcile/reconcile.ts', ' || !areConclusive(heads)', ''],
  ],
  'heads that do not match are remembered': [
    ['replica/sync/sync.ts', 'isMatch ? fingerprintOf(heads) : null', 'fingerprintOf(heads)'],
  ],
  'stale heads are accepted': [
    [
      'replica/read/heads.ts',
      'if (areTogether && (bypassedCdn || reachesCursor(heads, cursor))) return heads;',
      'return heads;',
    ],
    [
      'replica/sync/apply-changes.ts',
      'if (heads.bypassedCdn) return changes;',
      'if (heads.total >= 0) return changes;',
    ],
  ],
  'other languages do not learn what the main one removed': [
    ['replica/sync/next-manifest.ts', '...before.removed, ...mainChanges.removed, ', '...before.removed, '],
  ],
  'references to what was removed stay': [
    [
      'replica/replica.ts',
      'this.#parts.lang !== undefined || this.removed.size === 0',
      'this.removed.size >= 0',
    ],
  ],
  'damage is not noticed': [
    [
      'replica/content/snapshot-reader.ts',
      'body !== null && (await crypto.sha256(body)) === hash',
      'body !== null',
    ],
  ],
  'a page is known by its length': [
    ['replica/read/page-bytes.ts', 'hash = hashOf(body);', 'hash = hashOf(String(body.length));'],
  ],
  'a page is known by the beginning of its hash': [
    [
      'replica/read/page-bytes.ts',
      'known?.hash === hash ?',
      'known && known.hash.slice(0, 8) === hash.slice(0, 8) ?',
    ],
  ],
  'a page is known by the ids of its items': [
    [
      'replica/read/page-bytes.ts',
      'hash = hashOf(body);',
      'const ids = new TextDecoder().decode(body).match(/"_id":\\s*\\d+|"total":\\s*\\d+/g);\n      hash = hashOf(String(ids));',
    ],
  ],
  'pages are known whatever the model map': [
    [
      'replica/read/page-bytes.ts',
      'JSON.stringify([version, models, map])',
      'JSON.stringify([version, models])',
    ],
  ],
  'pages are known whatever the version': [
    ['replica/read/page-bytes.ts', 'JSON.stringify([version, models, map])', 'JSON.stringify([models, map])'],
  ],
  'known pages adjoin all others, whatever the total': [
    [
      'replica/read/scan.ts',
      'new Set(pages.flatMap(idsOf)).size === pages.at(-1)?.total',
      '(pages.some(({ known }) => known) || new Set(pages.flatMap(idsOf)).size === pages.at(-1)?.total)',
    ],
    [
      'replica/read/scan.ts',
      'if (last !== undefined && last === first) return false;',
      'if (page.known || (last !== undefined && last === first)) return false;',
    ],
  ],
  'pages with an item in two versions are known': [
    ['replica/read/page-bytes.ts', 'return areComplete && adjoin ?', 'return areComplete ?'],
  ],
  'pages stay known when an item is changed': [
    [
      'replica/sync/model-group.ts',
      '#recordChanged(item: WireContent): void {\n    this.pages = undefined;',
      '#recordChanged(item: WireContent): void {',
    ],
  ],
  'old copies of pages with known items are accepted': [
    ['replica/sync/read-models.ts', 'if (!bypassCdn && !isNewer(item, known)) return undefined;', ''],
  ],
  'old pages are known': [
    ['replica/sync/read-models.ts', 'if (items.length < list.items.length) pages = [];', ''],
  ],
  'known pages are compared with other items': [
    ['replica/sync/read-models.ts', 'if (!areSameItems) return undefined;', ''],
  ],
  'a requested full sync relies on known pages': [
    ['replica/sync/session.ts', '!options.forceFullSync && !isDamaged', '!isDamaged'],
  ],
  'an item is unchanged if its id is known': [
    ['replica/store/segments/model-table.ts', '&& facts?.hashes[index] === itemHash(item)', ''],
  ],
  'too much to read again is listed': [
    [
      'replica/sync/next-manifest.ts',
      'isInconclusive || toReadNextTime.size > MAX_READ_AGAIN',
      'isInconclusive',
    ],
  ],
  'everything is read again for what many refer to': [
    ['replica/sync/referrers.ts', 'ids.length <= MAX_READ_AGAIN || !found.has(id)', 'ids.length > 0'],
  ],
  'items of a page that are not found by id are skipped': [
    [
      'replica/read/limited-reader.ts',
      'if (data.length === wanted.length) return',
      'if (data.length > 0) return',
    ],
  ],
  'items of a page that were read by id prove their references': [
    ['replica/read/scan.ts', 'isJoined && !pages.some(({ isById }) => isById)', 'isJoined'],
  ],
  'what is not stored yet is read from the CDN without heads': [
    ['replica/sync/plan.ts', 'everything.bypassCdn || isNothingStored', 'everything.bypassCdn'],
  ],
  'a space is small if one of its models is': [
    ['replica/sync/plan.ts', 'return !isPartial && pages <=', 'return pages <='],
  ],
  'a service that is down gets smaller requests': [
    ['replica/read/limited-reader.ts', 'if (mayBeSize && !(await this.#isServiceUp())) throw error;', ''],
  ],
};
