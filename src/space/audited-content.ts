import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WireContent } from '../contract/content.ts';
import type { ModelMap } from '../models/types.ts';
import type { Replica } from '../replica/replica.ts';
import { replicaOfItems } from '../replica/replica-of-items.ts';
import { NO_HISTORY } from '../replica/store/manifest/change-history.ts';
import { processVariable } from '../shared/process.ts';
import { type ContentScope, scopeKey } from './content-scope.ts';
import type { ConnectedSpace } from './space.ts';

// `luid audit-build` builds a copy of a site with content that it changed. This is the part in the loaders: they use
// the cache of the audit, report to it what they load, and apply its changes.

/** Set in the builds of an audit, to a folder of its own. Read from the process only: it is not a setting of a site. */
export const AUDIT_VARIABLE = 'LUID_AUDIT_DIR';

/** The instructions to the loaders, in `instructions.json`. */
export interface AuditInstructions {
  /** Write to the folder what is loaded. */
  readonly record: boolean;
  /** By the key of a scope. */
  readonly changes: Readonly<Record<string, ItemChanges>>;
}

export interface ItemChanges {
  /** Items that are new, or replace those with the same id. */
  readonly set: readonly WireContent[];
  /** Content IDs. */
  readonly remove: readonly number[];
}

/** A scope of a space as it was loaded, in `scope-*.json`. */
export interface RecordedScope {
  readonly key: string;
  /** Equal for the languages of one space. */
  readonly space: string;
  /** `null`: the main language. */
  readonly lang: string | null;
  readonly models: ModelMap;
  readonly items: readonly WireContent[];
}

/** A collection, in `collection-*.json`. */
export interface RecordedCollection {
  readonly collection: string;
  readonly space: string;
  readonly model: string;
}

/** The folder of the audit that runs this build. */
function auditFolder(): string | undefined {
  return processVariable(AUDIT_VARIABLE) || undefined;
}

/** The folder that an audit's builds use instead of the site's own cache, whatever the space is configured to use. */
export function auditCacheDir(): string | undefined {
  const folder = auditFolder();
  return folder && join(folder, 'cache');
}

/** The replica of a scope as the audit wants it to be, or as it is if this build is not part of an audit. */
export async function auditedReplica(
  space: ConnectedSpace,
  scope: ContentScope,
  replica: Replica,
): Promise<Replica> {
  const folder = auditFolder();
  if (folder === undefined) return replica;
  const instructions = JSON.parse(
    readFileSync(join(folder, 'instructions.json'), 'utf8'),
  ) as AuditInstructions;
  const owner = spaceKey(space, scope.drafts);
  const key = shortHash([owner, scopeKey(scope)]);
  if (instructions.record) {
    const items = [...(await replica.readAll()).values()];
    const recorded: RecordedScope = {
      key,
      space: owner,
      lang: scope.lang ?? null,
      models: space.models,
      items,
    };
    record(folder, `scope-${key}`, recorded);
  }
  const changes = instructions.changes[key];
  return changes ? applyChanges(replica, scope, changes) : replica;
}

export function recordCollection(
  space: ConnectedSpace,
  { model, drafts }: { readonly model: string; readonly drafts: boolean },
  collection: string,
): void {
  const folder = auditFolder();
  if (folder === undefined) return;
  const recorded: RecordedCollection = { collection, space: spaceKey(space, drafts), model };
  record(folder, `collection-${shortHash(collection)}`, recorded);
}

function record(folder: string, name: string, value: unknown): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
}

function spaceKey({ settings, models }: ConnectedSpace, drafts: boolean): string {
  return shortHash([settings.baseUrl ?? null, settings.space ?? null, drafts, Object.keys(models)]);
}

function shortHash(value: unknown): string {
  return hash('sha1', JSON.stringify(value)).slice(0, 16);
}

/** All entries are made again: nothing is known of what changed since another fingerprint. */
async function applyChanges(
  replica: Replica,
  { lang }: ContentScope,
  { set, remove }: ItemChanges,
): Promise<Replica> {
  const items = new Map([...(await replica.readAll()).values()].map((item) => [item._id, item]));
  for (const id of remove) items.delete(id);
  for (const item of set) items.set(item._id, item);
  const { models, isFromCache, summary, stored } = replica;
  const manifest = { ...replica.manifest, history: NO_HISTORY };
  const fingerprint = shortHash([replica.fingerprint, set, remove]);
  return replicaOfItems(
    { models, lang, manifest, fingerprint, isFromCache, summary, stored },
    items.values(),
  );
}
