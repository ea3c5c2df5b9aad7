import type { WireContent } from '../../contract/content.ts';
import { fieldsOf } from '../../models/fields-of.ts';
import type { ModelMap } from '../../models/types.ts';
import { hasEmptyReferences } from '../reference-fields.ts';
import { type TargetItem, targetOf } from '../store/journal.ts';
import type { Target, Unconfirmed } from '../store/manifest.ts';
import type { Change } from './catch-up.ts';
import type { MainChanges } from './main-changes.ts';
import type { PutResult } from './model-group.ts';

/** Stored in the manifest, which every build reads. */
const MAX_UNCONFIRMED = 1000;

/**
 * What became visible or changed while other items may have been read, and which items those are. It decides whose
 * empty references may be stale: see "How references stay up to date" in docs/architecture.md.
 */
export class VisibilityLog {
  readonly #models: ModelMap;
  readonly #appeared: Map<number, Target>;
  readonly #changed: Map<number, Target>;
  /** Items that were read one by one in this sync, and what one response showed together with them. */
  readonly #read = new Map<number, Change>();
  /** Items that this sync left unconfirmed: only a later one can confirm them. */
  readonly #unconfirmedNow = new Set<number>();
  readonly #unconfirmedBefore: Map<number, Target>;
  /** Models with more such items than are stored by id. */
  readonly #modelsUnconfirmedBefore: Set<string>;
  /** Items whose empty references are not proven to be empty, by id; the oldest first. */
  readonly unconfirmed: Map<number, Target>;
  /** Models whose full read does not prove that empty references are empty. */
  readonly unprovenModels = new Set<string>();
  /** Models whose full read proves this of references to declared content only. */
  readonly unprovenForUndeclared = new Set<string>();
  /** Content of undeclared models became visible, and it is unknown which. */
  undeclaredAppeared: boolean;

  constructor(models: ModelMap, unconfirmed: Unconfirmed, main: MainChanges) {
    this.#models = models;
    this.#appeared = new Map(main.appeared.map((target) => [target[0], target]));
    this.#changed = new Map(main.changed.map((target) => [target[0], target]));
    const isDeclared = (model: string) => Object.hasOwn(models, model);
    const items = unconfirmed.items.filter(([, model]) => isDeclared(model));
    this.unconfirmed = new Map(items.map((target) => [target[0], target]));
    this.#unconfirmedBefore = new Map(this.unconfirmed);
    this.#modelsUnconfirmedBefore = new Set(unconfirmed.models.filter(isDeclared));
    this.undeclaredAppeared = main.undeclaredAppeared;
  }

  /** Items that became visible since others may have been read. */
  get appeared(): readonly Target[] {
    return [...this.#appeared.values()];
  }

  /** Items that changed since others were read one by one, and so may have been hidden for a moment. */
  get changed(): readonly Target[] {
    return [...this.#changed.values()];
  }

  markAppeared(items: readonly TargetItem[]): void {
    for (const item of items) this.#appeared.set(item._id, targetOf(item));
  }

  markChanged(item: WireContent): void {
    this.#changed.set(item._id, targetOf(item));
  }

  /** Records an item that was read one by one, and what it was to the table. */
  record(change: Change, result: PutResult): void {
    const { item } = change;
    if (result !== 'unchanged' || this.#unconfirmedBefore.has(item._id)) this.#read.set(item._id, change);
    if (result === 'unchanged') this.confirm(item._id);
    else this.markUnconfirmed(item);
    if (result === 'new') this.markAppeared([item]);
    else if (result !== 'unchanged') this.markChanged(item);
  }

  /** An item was read while it could not be proven that its empty references are empty. */
  markUnconfirmed(item: WireContent): void {
    if (!this.#hasEmptyReferences(item)) return;
    this.unconfirmed.set(item._id, targetOf(item));
    this.#unconfirmedNow.add(item._id);
  }

  /** An item was shown as it is stored: a second time, unless the first time was in this sync. */
  confirm(id: number): void {
    if (!this.#unconfirmedNow.has(id)) this.unconfirmed.delete(id);
  }

  #hasEmptyReferences(item: WireContent): boolean {
    return hasEmptyReferences(fieldsOf(this.#models, item._model), item);
  }

  /** All items of a model were read in full: whether that is proof is decided anew. */
  forgetUnconfirmed(model: string): void {
    this.#modelsUnconfirmedBefore.delete(model);
    for (const [id, [, other]] of this.unconfirmed) {
      if (other === model) this.forgetItem(id);
    }
  }

  /** An item does not exist any more. */
  forgetItem(id: number): void {
    this.unconfirmed.delete(id);
    this.#unconfirmedNow.delete(id);
    this.#unconfirmedBefore.delete(id);
  }

  /** Whether an earlier sync left more items of a model unconfirmed than are stored by id. */
  isUnconfirmed(model: string): boolean {
    return this.#modelsUnconfirmedBefore.has(model);
  }

  /** Replaces such a model by its items. */
  expandUnconfirmed(model: string, items: readonly WireContent[]): void {
    this.#modelsUnconfirmedBefore.delete(model);
    for (const item of items.filter((one) => this.#hasEmptyReferences(one))) {
      const target = targetOf(item);
      this.unconfirmed.set(item._id, target);
      this.#unconfirmedBefore.set(item._id, target);
    }
  }

  wasRead(id: number): boolean {
    return this.#read.has(id);
  }

  /** Whether an item was read so recently that what changed meanwhile may have been hidden from it. */
  isRecentlyRead({ _id }: WireContent): boolean {
    return this.#read.has(_id) || this.#unconfirmedBefore.has(_id);
  }

  /** Whether any item of a model may be so. */
  hasRecentlyRead(model: string): boolean {
    return (
      this.#unconfirmedBefore.size > 0 || [...this.#read.values()].some(({ item }) => item._model === model)
    );
  }

  /** Whether another item was visible at the moment at which this one was read. */
  wasSeenWith({ _id }: WireContent, other: number): boolean {
    return this.#read.get(_id)?.seenWith?.some((ids) => ids.has(other)) === true;
  }

  /** Whether an earlier sync left any item unconfirmed. */
  get hadUnconfirmed(): boolean {
    return this.#unconfirmedBefore.size > 0;
  }

  /** Items that an earlier sync left unconfirmed, and that still are. */
  get stillUnconfirmed(): Target[] {
    return [...this.unconfirmed.values()].filter(([id]) => this.#unconfirmedBefore.has(id));
  }

  /** Items that an earlier sync left unconfirmed, and that this one has confirmed. */
  get confirmed(): Target[] {
    return [...this.#unconfirmedBefore.values()].filter(([id]) => !this.unconfirmed.has(id));
  }

  /** The next sync has to confirm them again. */
  revokeConfirmed(targets: readonly Target[]): void {
    for (const target of targets) this.unconfirmed.set(target[0], target);
  }

  /** What to store. Of more than are kept, the models of the oldest are stored in their place. */
  nextUnconfirmed(): Unconfirmed {
    const items = [...this.unconfirmed.values()];
    const dropped = items.slice(0, -MAX_UNCONFIRMED).map(([, model]) => model);
    const models = new Set([...this.#modelsUnconfirmedBefore, ...dropped]);
    return { items: items.slice(-MAX_UNCONFIRMED), models: [...models] };
  }
}
