import type { WireContent } from '../../contract/content.ts';
import { DamagedSegment } from '../content/segment-items.ts';
import type { Replica } from '../replica.ts';
import { historySince } from '../store/manifest/change-history.ts';
import type { Manifest } from '../store/manifest/manifest.ts';

/** What the main language changed since this language was synced with it. */
export interface MainChanges {
  /** Whether its history reaches back that far. */
  readonly areKnown: boolean;
  /** Items that became visible. */
  readonly added: readonly WireContent[];
  /** Items whose data changed. */
  readonly changed: readonly WireContent[];
  /** Items that disappeared, by id: this language may refer to them, even if it never had them. */
  readonly removed: readonly number[];
}

const NONE: MainChanges = { areKnown: true, added: [], changed: [], removed: [] };

/** `main` is the replica of the main language; absent for the main language itself. */
export async function mainChanges(
  { generation, main: followed }: Manifest,
  main: Replica | undefined,
): Promise<MainChanges> {
  if (!main || generation === 0) return NONE;
  const changes = followed === null ? undefined : historySince(main.manifest.history, followed);
  if (!changes) return { ...NONE, areKnown: false };
  const { added, changed, removed } = changes;
  if (added.size + changed.size + removed.size === 0) return NONE;
  try {
    await main.read([...added, ...changed]);
  } catch (error) {
    if (error instanceof DamagedSegment) return { ...NONE, areKnown: false };
    throw error;
  }
  const itemsOf = (ids: ReadonlySet<number>) => [...ids].flatMap((id) => main.get(id) ?? []);
  return {
    areKnown: true,
    added: itemsOf(added),
    changed: itemsOf(changed),
    removed: [...removed].filter((id) => !main.has(id)),
  };
}

/** Whether nothing has to be read again. */
export function isNothingToRead({ added, changed }: MainChanges): boolean {
  return added.length + changed.length === 0;
}
