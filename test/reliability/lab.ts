import { createHash } from 'node:crypto';
import type { Exchange, FaultyProxy, Spoil } from './proxy.ts';
import { type Content, type Load, World, type WorldOptions } from './world.ts';

/**
 * What a load under a fault must come to: content that is right; an error; one of the two; the last good
 * content, and a warning; or, item by item, what is right or what was there before.
 */
export type Expectation = 'right' | 'fails' | 'right or fails' | 'last good' | 'right or older';

/** A load under a fault, and what it must keep to. */
export interface Trial {
  readonly name: string;
  readonly expects: Expectation;
  readonly load: Load;
  /** What the load says of it. */
  readonly says?: RegExp | undefined;
  /** The most requests that it may take. */
  readonly budget: number;
  /** Milliseconds that a refused client has to stay away. */
  readonly pause?: number | undefined;
  /** What the cache alone gave: what it held before the load, if anything, and what it holds now. */
  readonly cache?: { readonly known: Content | undefined; readonly now: Content | undefined };
}

/** A trial, and the quiet load after it. */
export interface Case extends Trial {
  readonly next: Load;
}

/** How a space is kept up to date: read whole each time, or by what changed. */
export const SHAPES = { whole: 16, changes: 1 } as const;
export type Shape = keyof typeof SHAPES;
const shapes = Object.keys(SHAPES) as Shape[];

export interface SpoilerOptions {
  /** How often a request is sent at most before it is an error. */
  readonly attempts: number;
  readonly says: RegExp;
  readonly pause?: number;
}

/** Where faults happen, and what loads cost without any. */
export class Lab {
  readonly proxy: FaultyProxy;
  readonly worlds: World[] = [];
  readonly #clean = new Map<string, Promise<{ cold: number; warm: number }>>();

  constructor(proxy: FaultyProxy) {
    this.proxy = proxy;
  }

  world(options: WorldOptions = {}): World {
    const world = new World(this.proxy, options);
    this.worlds.push(world);
    return world;
  }

  /** The requests of loads without a fault. */
  clean(shape: Shape): Promise<{ cold: number; warm: number }> {
    const known = this.#clean.get(shape) ?? this.#count(shape);
    this.#clean.set(shape, known);
    return known;
  }

  async #count(shape: Shape) {
    const world = this.world({ concurrency: SHAPES[shape] });
    const cold = (await world.load()).arrivals.length;
    world.change();
    return { cold, warm: (await world.load()).arrivals.length };
  }

  /** A fault that passes when the same is asked for again: once for each request, and always. */
  async passing(name: string, spoil: Spoil, { attempts, says, pause }: SpoilerOptions): Promise<Case[]> {
    const trials: Trial[] = [];
    const all: Case[] = [];
    for (const shape of shapes) {
      const clean = await this.clean(shape);
      const world = this.world({ concurrency: SHAPES[shape] });
      const under = async (
        when: 'once' | 'always',
        at: 'cold' | 'warm',
        onError: 'fail' | 'stale' = 'fail',
      ) => {
        world.onError = onError;
        world.guest.choose = when === 'always' ? () => ({ name, spoil }) : firstOfEach({ name, spoil });
        const load = await world.load();
        world.guest.choose = undefined;
        const expects = when === 'once' ? 'right' : onError === 'stale' ? 'last good' : 'fails';
        // What was cut off may lie at the CDN when it is asked for again, and then more is looked at.
        const budget = when === 'once' ? 2 * clean[at] + 2 : attempts * clean[at];
        const title = `${when}, ${at}, ${shape}${onError === 'stale' ? ', stale' : ''}`;
        trials.push({ name: title, expects, load, says: when === 'once' ? /retr/ : says, budget, pause });
      };
      if (shape === 'whole') await under('always', 'cold');
      await under('once', 'cold');
      world.change();
      await under('always', 'warm');
      await under('always', 'warm', 'stale');
      await under('once', 'warm');
      world.change();
      await under('once', 'warm');
      const next = await world.load();
      all.push(...trials.splice(0).map((one) => ({ ...one, next })));
    }
    return all;
  }

  /** A lie that no request can see by itself, in some of the requests or in all of a kind. */
  async lying(name: string, spoil: Spoil): Promise<Case[]> {
    const cases: Case[] = [];
    const worlds = { whole: this.world(), changes: this.world({ concurrency: SHAPES.changes }) };
    for (const world of Object.values(worlds)) await world.load();
    for (const { shape, at, which } of LIES) {
      const matches = PICKS[which]();
      const world = at === 'cold' ? this.world() : worlds[shape];
      if (at === 'warm') world.change();
      world.guest.choose = (exchange) => (matches(exchange) ? { name, spoil } : undefined);
      const load = await world.load();
      world.guest.choose = undefined;
      const next = await world.load();
      // Each page and count is asked for again, a fixed number of times.
      const budget = 10 * (await this.clean(shape))[at];
      cases.push({ name: `${which}, ${at}, ${shape}`, expects: 'right or fails', load, next, budget });
    }
    return cases;
  }

  remove(): void {
    for (const world of this.worlds.splice(0)) world.remove();
  }
}

/** Each request meets the fault the first time that it is sent. */
function firstOfEach(fault: { name: string; spoil: Spoil }) {
  const seen = new Set<string>();
  return ({ url }: Exchange) => {
    if (seen.has(url.href)) return undefined;
    seen.add(url.href);
    return fault;
  };
}

/** Half of what is asked for, whatever the order, or the other half: the same in every run. */
export function halfOf(parity: number): (exchange: Exchange) => boolean {
  const seen = new Set<string>();
  return ({ url }) => {
    if (seen.has(url.href)) return false;
    seen.add(url.href);
    return (hashOf(lastingPart(url)) & 1) === parity;
  };
}

/** An address without what makes it a fresh one, which is the time. */
export function lastingPart(url: URL): string {
  return url.search.replace(/_created_at(\[|%5B)lte(\]|%5D)=[^&]*/, '');
}

/** A number from 0 on that is the same for the same text. */
export function hashOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

const isHead = ({ url }: Exchange) => /order=-_/.test(url.search);
const isCount = ({ url }: Exchange) => /limit=1&/.test(`${url.search}&`);

/** Which requests are lied to. */
const PICKS = {
  'one half, once': () => halfOf(0),
  'the other half, once': () => halfOf(1),
  'all heads': () => isHead,
  'all counts': () => isCount,
  'all pages': () => (exchange: Exchange) => !isHead(exchange) && !isCount(exchange),
  all: () => () => true,
};

type Lie = { shape: Shape; at: 'cold' | 'warm'; which: keyof typeof PICKS };
const lies = (shape: Shape, at: Lie['at'], ...which: Lie['which'][]) =>
  which.map((one): Lie => ({ shape, at, which: one }));

/** Each kind of request lies where it is asked. */
const LIES: readonly Lie[] = [
  ...lies('whole', 'cold', 'one half, once', 'the other half, once', 'all heads', 'all pages', 'all'),
  ...lies('whole', 'warm', 'one half, once', 'the other half, once', 'all'),
  ...lies('changes', 'warm', 'one half, once', 'the other half, once', 'all heads', 'all counts', 'all'),
];
