import type { Manifest } from '../store/manifest.ts';

/** What is known of content of undeclared models: references may lead to it. */
export class UndeclaredContent {
  /** Referenced content that exists in this language. */
  readonly ids: Set<number>;
  /** Of another language: referenced content that exists in the main one only. */
  readonly idsInMain: Set<number>;
  /** Ids that were looked up in this sync and were not there at its heads, and those of the last sync. */
  readonly missing = new Set<number>();
  readonly missingBefore: ReadonlySet<number>;
  /** How much there is; `null` if that is unknown. */
  total: number | null;
  /** Some of it appeared or disappeared. */
  hasMoved: boolean;
  /** Some of it changed, which may have added a language to it. */
  hasChanged = false;
  /** Content that the heads show to be new. */
  readonly newIds = new Set<number>();

  constructor(manifest: Manifest, hasMoved: boolean) {
    this.ids = new Set(manifest.undeclared);
    this.idsInMain = new Set(manifest.undeclaredInMain);
    this.missingBefore = new Set(manifest.undeclaredMissing);
    this.total = manifest.undeclaredTotal;
    this.hasMoved = hasMoved;
  }

  delete(id: number): void {
    this.ids.delete(id);
    this.idsInMain.delete(id);
  }
}
