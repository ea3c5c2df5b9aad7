import type { Manifest } from '../../src/replica/store/manifest/manifest.ts';
import type { ModelTable } from '../../src/replica/store/segments/model-table.ts';
import type { Snapshot } from '../../src/replica/store/snapshot.ts';
import { nextManifest } from '../../src/replica/sync/next-manifest.ts';
import type { SyncSession } from '../../src/replica/sync/session.ts';

/** The segments of a table as it is now, and the bodies of new ones by hash. */
export async function packTable(table: ModelTable) {
  const written = new Map<string, string>();
  return { segments: await table.toSegments(written), written };
}

/** What a session stores: a manifest, and the bodies of new segments by hash. */
export async function packSession(session: SyncSession) {
  const written = new Map<string, string>();
  return { manifest: await nextManifest(session, written), written };
}

/** Commits a manifest with segments, as a sync does. */
export async function commitAll(
  snapshot: Pick<Snapshot, 'openWriter' | 'commit'>,
  manifest: Manifest,
  written: ReadonlyMap<string, string>,
  now: number,
): Promise<readonly Manifest[]> {
  const writer = snapshot.openWriter();
  for (const [hash, body] of written) await writer.set(hash, body);
  await writer.end();
  return snapshot.commit(manifest, now);
}
