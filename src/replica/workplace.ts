import type { Connect } from '../client/connection.ts';
import type { WireContent } from '../contract/content.ts';
import { formatsOf } from '../models/formats.ts';
import type { ModelMap } from '../models/types.ts';
import { earliest, Group } from './group.ts';
import type { Cursor, Manifest, ModelState } from './manifest.ts';
import type { Progress } from './progress.ts';
import { hashOf } from './segments.ts';
import type { Snapshot } from './snapshot.ts';
import { createSource, groupByFormats } from './source.ts';
import { createTally, type Tally } from './tally.ts';

export interface WorkplaceOptions {
  readonly connect: Connect;
  readonly models: ModelMap;
  readonly space: string | undefined;
  readonly lang: string | undefined;
  readonly manifest: Manifest;
  readonly snapshot: Snapshot | undefined;
  /** Read everything, past the CDN. */
  readonly audit: boolean;
  /** Models whose stored copy is damaged. */
  readonly damaged: ReadonlySet<string>;
  /** Items whose data in the main language changed. */
  readonly touched: readonly WireContent[];
  readonly progress: Progress;
  readonly warnOnce: (message: string) => void;
  readonly now: () => number;
  /** Requests under way at once. */
  readonly concurrency: number;
}

/** What one sync of one language works with, and what it will store when it is done. */
export class Workplace {
  readonly groups: readonly Group[];
  readonly tally: Tally;
  readonly models: ModelMap;
  readonly audit: boolean;
  readonly concurrency: number;
  readonly touched: readonly WireContent[];
  readonly warnOnce: (message: string) => void;
  readonly #options: WorkplaceOptions;
  #settled = true;
  readonly #vanished = new Set<number>();
  readonly #advanced = new Map<Group, { cursor: Cursor; digest: string }>();

  constructor(options: WorkplaceOptions) {
    const { models, manifest, snapshot, damaged } = options;
    this.#options = options;
    this.tally = createTally(options.now);
    this.models = models;
    this.audit = options.audit;
    this.concurrency = options.concurrency;
    this.touched = options.touched;
    this.warnOnce = options.warnOnce;
    const budget = { retriesLeft: 100 };
    const stop = new AbortController();
    this.groups = groupByFormats(models).map((names) => {
      const source = createSource({
        ...options,
        map: models,
        models: names,
        tally: this.tally,
        budget,
        stop,
      });
      const states = names.flatMap((name) => {
        const state = damaged.has(name) ? undefined : manifest.models[stateName(models, name)];
        return state ? [[name, state] as const] : [];
      });
      return new Group(source, new Map(states), async (hash) => snapshot?.segment(hash));
    });
  }

  get isMainLanguage(): boolean {
    return this.#options.lang === undefined;
  }

  groupOf(model: string): Group {
    return this.groups.find(({ copies }) => copies.has(model)) as Group;
  }

  onPage(model: string): (items: number, total: number) => void {
    return (items, total) => this.#options.progress.page(model, items, total);
  }

  /** What the heads of a group looked like when it was stored. */
  digestOf(group: Group): string | undefined {
    return this.#options.manifest.heads[headsName(this.models, group)];
  }

  /** A group is known up to this cursor, once it is stored. */
  advance(group: Group, cursor: Cursor, digest: string): void {
    this.#advanced.set(group, { cursor, digest });
  }

  /** Something happened under a whole read that it cannot have seen everywhere: the next sync reads all again. */
  leaveUnsettled(): void {
    this.#settled = false;
  }

  /** These are referred to, and gone without ever having been seen. */
  vanish(ids: readonly number[]): void {
    for (const id of ids) this.#vanished.add(id);
  }

  /** The moment since when nobody looked at all models but these; `undefined` if there are no others. */
  wholeSince(read: readonly string[]): Cursor | undefined {
    const { manifest } = this.#options;
    const others = this.groups.flatMap(({ source, unread }) =>
      source.models.filter((model) => !unread.has(model) && !read.includes(model)),
    );
    return earliest(others.flatMap((model) => manifest.models[stateName(this.models, model)]?.whole ?? []));
  }

  /** The manifest after this sync, and the texts of its new segments. `alts` are those of what came and changed. */
  async pack(
    alts: () => Record<string, string>,
  ): Promise<{ manifest: Manifest; written: Map<string, string> }> {
    const { manifest: before, now } = this.#options;
    // Models that are declared no more are forgotten: nobody would repair what refers to late arrivals.
    const models: Record<string, ModelState> = {};
    const heads: Record<string, string> = {};
    const written = new Map<string, string>();
    for (const group of this.groups) {
      const advanced = this.#advanced.get(group);
      const { digest = this.digestOf(group) } = advanced ?? {};
      if (digest) heads[headsName(this.models, group)] = digest;
      for (const [model, copy] of group.copies) {
        const name = stateName(this.models, model);
        const old = before.models[name];
        const packed = await copy.pack();
        for (const [hash, body] of packed.written) written.set(hash, body);
        const cursor = advanced?.cursor ?? old?.cursor ?? { updated: 0, published: 0 };
        const { whole = cursor, readAt = now() } = group.read.has(model) ? {} : (old ?? {});
        models[name] = { segments: packed.segments, cursor, whole, readAt };
      }
    }
    const all = this.groups.every(({ read, copies }) => read.size === copies.size);
    const removed = this.groups.flatMap((group) => [...group.removed.keys()]);
    const returned = new Set(this.groups.flatMap((group) => [...group.added.keys()]));
    return {
      written,
      manifest: {
        generation: before.generation + 1,
        models,
        heads,
        // What went while all was read may still be referred to by what was read before it went.
        gone: [...new Set([...(all ? [] : before.gone), ...removed, ...this.#vanished])].filter(
          (id) => !returned.has(id),
        ),
        alts: all ? {} : { ...before.alts, ...alts() },
        settled: this.#settled && (all || before.settled),
        leaving: before.leaving,
      },
    };
  }
}

/** A model with other formats is another copy: its texts are different ones. */
export function stateName(models: ModelMap, model: string): string {
  const formats = Object.entries(formatsOf(models[model] ?? {})).sort();
  // No LUID has an `@`, so that none of these is a name that every object has.
  return `${model}@${formats.length === 0 ? '' : hashOf(JSON.stringify(formats)).slice(0, 16)}`;
}

function headsName(models: ModelMap, group: Group): string {
  return hashOf(JSON.stringify(group.source.models.map((model) => stateName(models, model)).sort())).slice(
    0,
    16,
  );
}
