/** Tests that name what they check. */
export const NAMED_TESTS = [
  'test/shared/encryption/content-cipher.test.ts',
  'test/astro/live/from-replica/lease.test.ts',
  'test/images/assets/fact-cache.test.ts',
  'test/replica/newer-content.test.ts',
  'test/replica/stored-languages.test.ts',
  'test/security/drafts-in-cache.test.ts',
  'test/security/restored-cache.test.ts',
];
export const RANDOM_TESTS = [];

const SNAPSHOT = 'replica/store/snapshot.ts';
const SYNC = 'replica/sync-replica.ts';
const LEASE = 'astro/live/check/lease.ts';
const CHECKS = 'astro/live/check/shared-checks.ts';
const CIPHER = 'shared/encryption/content-cipher.ts';
const IV = "createHmac('sha256', ivKey).update(text).digest()";

/** Defects of what builds and servers share, also with others who have no key, as edits of files in src. */
export const DEFECTS = {
  'storage: a commit does not look for others after it': [
    [SNAPSHOT, 'return others.flatMap((one) => one.manifest ?? []);', 'return [];'],
  ],
  'storage: a commit that was overtaken reports nothing': [
    [SNAPSHOT, 'return earlier.flatMap((one) => one.manifest ?? []);', 'return [];'],
  ],
  'storage: a random one of two commits at once is read': [
    [
      'replica/store/snapshot-names.ts',
      "map, String(time).padStart(13, '0'), random]",
      'map, random, String(time)]',
    ],
  ],
  'storage: equal content is synced again': [
    [SYNC, '(other) => replicaFingerprint(models, other) === content', '() => content === undefined'],
  ],
  'storage: a language is stored before the main one': [
    [SYNC, 'const main = await options.main?.stored;', 'const { main } = options;'],
  ],
  'storage: a language is stored although the main one is not': [
    [SYNC, 'if (options.main && !main) return undefined;', ''],
  ],
  'storage: a language follows a main one that was not stored': [
    [SYNC, 'if (main?.fingerprint === options.main?.fingerprint) {', '{'],
  ],
  'storage: a lease needs no signature': [
    [LEASE, 'if (!(await signer.verify(this.#signedText(record), signature))) return undefined;', ''],
  ],
  'storage: an old lease can be written again': [
    [LEASE, 'if (record.count < this.#newest.count) return undefined;', ''],
  ],
  'storage: a lease of any time counts': [[LEASE, ' || Math.abs(now() - record.at) > farOff', '']],
  'storage: a lease of the future counts': [
    [LEASE, 'Math.abs(now() - record.at) > farOff', 'now() - record.at > farOff'],
  ],
  'storage: what another owner confirmed is signed again': [
    [LEASE, 'isOwn ? record : { content, checkedAt: null }', 'record ?? { content, checkedAt: null }'],
  ],
  'storage: a server follows others without end': [
    [CHECKS, 'host.now() - this.#syncedAt < this.#options.verifyAfter', 'this.#syncedAt > 0'],
  ],
  'storage: what others confirm counts as an own check': [
    [
      CHECKS,
      '      this.#isFollowing = true;\n      return followed;',
      '      this.#isFollowing = true;\n      this.#syncedAt = host.now();\n      return followed;',
    ],
  ],
  'storage: all texts have one IV': [[CIPHER, IV, "createHmac('sha256', ivKey).update('').digest()"]],
  'storage: equal drafts are never equal when they are stored': [
    [CIPHER, IV, 'globalThis.crypto.getRandomValues(Buffer.alloc(IV_LENGTH))'],
  ],
  'storage: changed drafts are decrypted': [[CIPHER, '        decipher.final();\n', '']],
  'storage: the facts of drafts are not encrypted': [
    ['replica/sync/next-manifest.ts', 'isEncrypted ? snapshot.encrypt(encodeFacts(facts)) : ', ''],
  ],
  'storage: the manifest of drafts is not encrypted': [
    ['replica/store/manifest/signed-manifest.ts', 'manifest.isEncrypted ? encrypt(plain) : plain', 'plain'],
  ],
  'storage: ids of drafts can be read after these have gone': [
    ['replica/sync/next-manifest.ts', 'before.isEncrypted || session.hasReadDrafts', 'session.hasReadDrafts'],
  ],
  'storage: drafts of published content are not encrypted': [
    ['contract/item-times.ts', "return _status !== 'published';", "return _status === 'draft';"],
  ],
  'storage: image facts are not encrypted': [
    ['images/assets/fact-cache.ts', 'cipher.encrypt(content));', 'content);'],
  ],
};
