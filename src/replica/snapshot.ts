import { createHash } from 'node:crypto';
import type { Storage } from 'unstorage';
import type { WireContent } from '../contract/content.ts';

/** What a snapshot is of. Whatever could change an answer is part of it, so that drafts never leak. */
export interface SnapshotOf {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly space: string | undefined;
  readonly models: unknown;
}

const VERSION = 1;

/** The name of a snapshot: a hash, so that it tells neither the key nor the address. */
function nameOf(of: SnapshotOf): string {
  return `v${VERSION}:${sha256(JSON.stringify([of.baseUrl, of.apiKey, of.space ?? null, of.models]))}`;
}

export async function saveSnapshot(
  storage: Storage,
  of: SnapshotOf,
  items: readonly WireContent[],
): Promise<void> {
  const body = JSON.stringify(items);
  await storage.setItemRaw(nameOf(of), `${sha256(body)}\n${body}`);
}

/** The items that were saved last, or `undefined` if there are none or they are damaged. */
export async function loadSnapshot(storage: Storage, of: SnapshotOf): Promise<WireContent[] | undefined> {
  const raw: unknown = await storage.getItemRaw(nameOf(of));
  if (raw === null || raw === undefined) return undefined;
  const text = typeof raw === 'string' ? raw : new TextDecoder().decode(raw as Uint8Array);
  const [hash, body = ''] = text.split('\n', 2);
  return hash === sha256(body) ? (JSON.parse(body) as WireContent[]) : undefined;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
