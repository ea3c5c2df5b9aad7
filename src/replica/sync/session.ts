import type { Connect } from '../../client/http/connection.ts';
import type { WireContent } from '../../contract/content.ts';
import { targetsOf } from '../../models/field-types/reference.ts';
import { formatsOf } from '../../models/formats.ts';
import type { ModelMap } from '../../models/types.ts';
import { emptyReferences, referenceFields } from '../reference-fields.ts';
import { append, entriesSince, stateOf, targetOf } from '../store/journal.ts';
import type { Cursor, Journal, Manifest, ModelState, Target } from '../store/manifest.ts';
import { hashOf } from '../store/segments.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { Change } from './catch-up.ts';
import { cursorOf, type Heads } from './heads.ts';
import { headsOf } from './heads-scope.ts';
import { ModelGroup, type Taken } from './model-group.ts';
import type { Progress } from './progress.ts';
import { createRequestStats, type RequestStats } from './request-stats.ts';
import { createSource, groupByFormats, type Models, type Source } from './source.ts';

export interface SessionOptions {
  readonly connect: Connect;
  readonly models: ModelMap;
  readonly space: string | undefined;
  readonly lang: string | undefined;
  readonly manifest: Manifest;
  readonly snapshot: Snapshot | undefined;
  /** Read everything, past the CDN. */
  readonly full: boolean;
  /** The manifest is that of another model map. */
  readonly adopted: boolean;
  /** Models whose stored copy is damaged. */
  readonly damaged: ReadonlySet<string>;
  /** Of another language: the journal of the main one. */
  readonly mainJournal: Journal | undefined;
  readonly progress: Progress;
  readonly warn: (message: string) => void;
  readonly now: () => number;
  /** Requests in parallel. */
  readonly concurrency: number;
  /** Ends all requests of the sync. */
  readonly stop: AbortController;
}

/** What one sync of one language works with, and what it will store when it is done. */
export class SyncSession {
  readonly groups: readonly ModelGroup[];
  /** Reads what concerns all models, in the formats of the first group. */
  readonly headsSource: Source;
  /** The models that the heads cover. */
  readonly headsCover: Models;
  readonly stats: RequestStats;
  readonly models: ModelMap;
  readonly isFull: boolean;
  readonly concurrency: number;
  readonly warn: (message: string) => void;
  readonly manifest: Manifest;
  /** Referenced content of undeclared models that exists in this language, and in the main one only. */
  readonly undeclared: Set<number>;
  readonly undeclaredInMain: Set<number>;
  undeclaredTotal: number | null;
  /** Content of undeclared models appeared or disappeared. */
  undeclaredMoved: boolean;
  /** Content of undeclared models changed, which may have given it another language. */
  undeclaredEdited = false;
  /** Content of undeclared models that the heads show to be new. */
  readonly newUndeclared = new Set<number>();
  /** The count of the service was another than that of the copies. */
  hadDifferences = false;
  /** Models that were read in full while the totals of others were not watched. */
  readonly readAlone = new Set<string>();
  /** What the main language changed since this one followed it. */
  readonly owed: { readonly appeared: readonly Target[]; readonly changed: readonly Target[] };
  readonly #options: SessionOptions;
  readonly #appeared = new Map<number, Target>();
  readonly #touched = new Map<number, Target>();
  /** Items that were read one by one in this sync, and what one response showed together with them. */
  readonly #taken = new Map<number, Change>();
  /** Items of earlier syncs that are still unconfirmed, by id. */
  readonly unconfirmed: Map<number, Target>;
  readonly #wasUnconfirmed: ReadonlySet<number>;
  #settled = true;
  #cursor: Cursor | null | undefined;
  #heads: { readonly digest: string | null; readonly neverPublished: number | null } | undefined;

  constructor(options: SessionOptions) {
    const { models, manifest, snapshot, damaged, mainJournal } = options;
    this.#options = options;
    this.manifest = manifest;
    this.stats = createRequestStats(options.now);
    this.models = models;
    this.concurrency = options.concurrency;
    this.warn = options.warn;
    const budget = { retriesLeft: 100 };
    this.headsCover = headsOf(models, options.lang).newestOf;
    const sourceOf = (names: readonly string[]) =>
      createSource({
        ...options,
        map: models,
        models: names,
        newestOf: this.headsCover,
        stats: this.stats,
        budget,
      });
    this.groups = groupByFormats(models).map((names) => {
      const states = names.flatMap((name) => {
        const state = damaged.has(name) ? undefined : manifest.models[stateName(models, name)];
        return state ? [[name, state] as const] : [];
      });
      return new ModelGroup(sourceOf(names), new Map(states), async (hash) => snapshot?.segment(hash));
    });
    this.headsSource = this.groups[0]?.source ?? sourceOf([]);
    this.undeclared = new Set(manifest.undeclared);
    this.undeclaredInMain = new Set(manifest.undeclaredInMain);
    this.undeclaredTotal = manifest.undeclaredTotal;
    this.unconfirmed = new Map(manifest.unconfirmed.items.map((target) => [target[0], target]));
    this.#wasUnconfirmed = new Set(this.unconfirmed.keys());

    const entries = entriesOwed(manifest, mainJournal);
    this.isFull = options.full || entries === undefined;
    const owed = entries ?? [];
    this.owed = {
      appeared: owed.flatMap(({ appeared }) => appeared),
      changed: owed.flatMap(({ changed }) => changed),
    };
    this.undeclaredMoved = owed.some(({ undeclared }) => undeclared);
    if (options.adopted) this.markAppeared([SOME_UNDECLARED]);
    for (const target of this.owed.appeared) this.#appeared.set(target[0], target);
    for (const target of this.owed.changed) this.#touched.set(target[0], target);
  }

  get isMainLanguage(): boolean {
    return this.#options.lang === undefined;
  }

  /** Whether this language has seen everything that the main one changed. */
  get owesNothing(): boolean {
    return this.owed.appeared.length + this.owed.changed.length === 0 && !this.undeclaredMoved;
  }

  /** The model map changed: references that may lead to content of undeclared models are looked up again. */
  get hasOtherModels(): boolean {
    return this.#options.adopted;
  }

  get tracksUndeclared(): boolean {
    return this.headsCover === 'all';
  }

  get count(): number {
    return this.groups.reduce((sum, { count }) => sum + count, 0);
  }

  get unread(): string[] {
    return this.groups.flatMap(({ unread }) => [...unread]);
  }

  /** Up to where all known copies are known; `null` if that is unknown of one; `undefined` without any. */
  get cursor(): Cursor | null | undefined {
    const { models, manifest } = this.#options;
    const known = Object.keys(models).filter((model) => !this.unread.includes(model));
    const cursors = known.map((model) => manifest.models[stateName(models, model)]?.cursor ?? null);
    if (cursors.length === 0) return undefined;
    return cursors.reduce((a, b) => (a && b ? earliest(a, b) : null));
  }

  groupOf(model: string): ModelGroup {
    return this.groups.find(({ copies }) => copies.has(model)) as ModelGroup;
  }

  isDeclared(model: string): boolean {
    return this.groups.some(({ copies }) => copies.has(model));
  }

  onPage(models: readonly string[]): (items: number, total: number) => void {
    const name = models.join(',');
    return (items, total) => this.#options.progress.page(name, items, total);
  }

  /** Items that became visible since others may have been read. */
  get appeared(): readonly Target[] {
    return [...this.#appeared.values()];
  }

  /** Items that may have been hidden for a moment: they changed since something was read one by one. */
  get touched(): readonly Target[] {
    return [...this.#touched.values()];
  }

  markAppeared(items: readonly Pick<WireContent, '_id' | '_model' | '_created_at'>[]): void {
    for (const item of items) this.#appeared.set(item._id, targetOf(item));
  }

  /** Something changed that may have been hidden for a moment. */
  markTouched(item: WireContent): void {
    this.#touched.set(item._id, targetOf(item));
  }

  /** Nothing was stored before. */
  get isFirst(): boolean {
    return this.manifest.generation === 0;
  }

  /** Puts an item into its copy. Everything that is not read in full comes through here. */
  async take(change: Change): Promise<Taken> {
    const { item } = change;
    const taken = await this.groupOf(item._model).take(item);
    if (taken !== 'same' || this.#wasUnconfirmed.has(item._id)) this.#taken.set(item._id, change);
    if (taken === 'same') this.unconfirmed.delete(item._id);
    else this.leaveUnconfirmed(item);
    if (taken === 'new') this.markAppeared([item]);
    else if (taken !== 'same') this.markTouched(item);
    return taken;
  }

  hasRecent(model: string): boolean {
    return (
      this.#wasUnconfirmed.size > 0 ||
      this.manifest.unconfirmed.models.includes(model) ||
      [...this.#taken.values()].some(({ item }) => item._model === model)
    );
  }

  /** Whether an item was read so recently that what changed meanwhile may have been hidden from it. */
  isRecent({ _id, _model }: WireContent): boolean {
    return (
      this.#taken.has(_id) ||
      this.#wasUnconfirmed.has(_id) ||
      this.manifest.unconfirmed.models.includes(_model)
    );
  }

  /** Whether another item was visible at the moment at which this one was read. */
  wasSeenWith({ _id }: WireContent, other: number): boolean {
    return this.#taken.get(_id)?.seenWith?.some((ids) => ids.has(other)) === true;
  }

  /** An item was read while it could not be proven that its empty references are empty. */
  leaveUnconfirmed(item: WireContent): void {
    if (mayHaveEmptyReferences(this.models, item)) this.unconfirmed.set(item._id, targetOf(item));
  }

  wasTaken(id: number): boolean {
    return this.#taken.has(id);
  }

  /** Everything is known up to these heads. The digest is `null` if the same heads would prove nothing. */
  advance(heads: Heads, digest: string | null): void {
    this.#cursor = cursorOf(heads);
    this.#heads = { digest, neverPublished: heads.neverPublished };
  }

  /** Everything was read without heads. */
  forgetCursor(): void {
    this.#cursor = null;
    this.#heads = { digest: null, neverPublished: null };
  }

  /** Something happened during a full read that it cannot have seen everywhere: the next sync is a full one. */
  markUnsettled(): void {
    this.#settled = false;
  }

  /** The manifest after this sync, and the bodies of its new segments. `alts` are those of what was read. */
  async pack(
    alts: () => Record<string, string>,
  ): Promise<{ manifest: Manifest; written: Map<string, string> }> {
    const { manifest: before, now, mainJournal } = this.#options;
    const models: Record<string, ModelState> = {};
    const written = new Map<string, string>();
    for (const { copies, readInFull } of this.groups) {
      for (const [model, copy] of copies) {
        const name = stateName(this.models, model);
        const old = before.models[name];
        const packed = await copy.pack();
        for (const [hash, body] of packed.written) written.set(hash, body);
        const cursor = this.#cursor === undefined ? (old?.cursor ?? null) : this.#cursor;
        const readAt = readInFull.has(model) ? now() : (old?.readAt ?? now());
        models[name] = { segments: packed.segments, cursor, readAt };
      }
    }
    const all = this.groups.every(({ readInFull, copies }) => readInFull.size === copies.size);
    const removed = this.groups.flatMap((group) => [...group.removed.keys()]);
    const returned = new Set(this.groups.flatMap((group) => [...group.added.keys()]));
    for (const id of [...removed, ...returned]) {
      this.undeclared.delete(id);
      this.undeclaredInMain.delete(id);
    }
    const { digest, neverPublished } = this.#heads ?? {
      digest: before.heads,
      neverPublished: before.neverPublished,
    };
    return {
      written,
      manifest: {
        generation: before.generation + 1,
        models,
        heads: digest,
        neverPublished,
        // What was removed while everything was read may still be referred to by what was read before.
        gone: [...new Set([...(all ? [] : before.gone), ...removed])].filter((id) => !returned.has(id)),
        undeclared: [...this.undeclared].sort((a, b) => a - b),
        undeclaredInMain: [...this.undeclaredInMain].sort((a, b) => a - b),
        undeclaredTotal: this.undeclaredTotal,
        alts: all ? {} : { ...before.alts, ...alts() },
        settled: this.#settled && (all || before.settled),
        unconfirmed: this.#nowUnconfirmed(),
        journal: this.#nextJournal(JSON.stringify(models, ['segments', 'hash', ...Object.keys(models)])),
        follows: mainJournal ? stateOf(mainJournal) : null,
        leaving: before.leaving,
      },
    };
  }

  /** Of more than are kept, their models stand for the oldest. */
  #nowUnconfirmed(): Manifest['unconfirmed'] {
    if (this.#cursor === null) return { items: [], models: [] };
    const items = [...this.unconfirmed.values()];
    const dropped = items.slice(0, -MOST_UNCONFIRMED);
    // The same heads may be an old copy of the CDN.
    const carried = this.#cursor === undefined ? this.manifest.unconfirmed.models : [];
    return {
      items: items.slice(-MOST_UNCONFIRMED),
      models: [...new Set([...carried, ...dropped.map(([, model]) => model)])],
    };
  }

  /** What the other languages have to look at. Models that were unknown until now are new to them too. */
  #nextJournal(content: string): Journal {
    const { journal } = this.manifest;
    if (!this.isMainLanguage) return journal;
    const known = new Set(Object.keys(this.manifest.models));
    const isKnown = ({ _model }: WireContent) => known.has(stateName(this.models, _model));
    const of = (items: Iterable<WireContent>) => [...items].filter(isKnown).map(targetOf);
    const appeared = new Map(this.#appeared);
    for (const { added } of this.groups)
      for (const target of of(added.values())) appeared.set(target[0], target);
    const changes = {
      appeared: [...appeared.values()],
      changed: this.groups.flatMap(({ changed }) => of(changed.values())),
      undeclared: this.undeclaredMoved || this.undeclaredEdited,
    };
    return append(journal, changes, content);
  }
}

const MOST_UNCONFIRMED = 1000;

/** Stands for content of an undeclared model that appeared without a trace but the total. */
export const SOME_UNDECLARED = { _id: -1, _model: '', _created_at: new Date(0).toISOString() };

function mayHaveEmptyReferences(models: ModelMap, item: WireContent): boolean {
  const slots = emptyReferences(models[item._model] ?? {}, item);
  return slots.acceptsAny || slots.models.size > 0;
}

/** What the main language changed since another one followed it; `undefined` if that is unknown. */
function entriesOwed({ generation, follows }: Manifest, journal: Journal | undefined) {
  if (!journal || generation === 0) return [];
  return follows === null ? undefined : entriesSince(journal, follows);
}

function earliest(a: Cursor, b: Cursor): Cursor {
  return { updated: Math.min(a.updated, b.updated), published: Math.min(a.published, b.published) };
}

/** A model with other formats or other references is another copy: it was read and repaired in another way. */
export function stateName(models: ModelMap, model: string): string {
  const fields = models[model] ?? {};
  const formats = Object.entries(formatsOf(fields)).sort();
  const references = referenceFields(fields)
    .map(([path, field]) => [path, targetsOf(field) ?? null])
    .sort();
  // No LUID has an `@`, so that none of these is a name that every object has.
  return `${model}@${hashOf(JSON.stringify([formats, references])).slice(0, 16)}`;
}
