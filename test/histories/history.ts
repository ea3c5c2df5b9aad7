import {
  type Assumptions,
  createEmulator,
  DEFAULT_ASSUMPTIONS,
  type Emulator,
} from '../../src/emulator/index.ts';
import { compareEntries } from './compare.ts';
import { Editor } from './editor.ts';
import { type Allowed, type Known, NOTHING_ALLOWED, Unseen } from './excuses.ts';
import { failingFetch } from './network.ts';
import { Oracle } from './oracle.ts';
import { START, seedOf } from './seed.ts';
import { type Process, Site } from './site.ts';
import type { Build, Failure, History, Step, World } from './steps.ts';
import { CacheStorage } from './storage.ts';

/** The service, the sites and their one cache, while a history happens to them. */
class Life {
  readonly #world: World;
  readonly #assumptions: Assumptions;
  readonly #service: Emulator;
  readonly #editor: Editor;
  readonly #unseen: Unseen;
  readonly #sites: readonly Site[];
  readonly #cache = new CacheStorage();
  /** What the cache knows, by site and by whether it is of the main language or of the others. */
  #known = new Map<string, Known>();
  #copy:
    | { cache: ReadonlyMap<string, unknown>; known: Map<string, Known>; stores: Site['store'][] }
    | undefined;
  /** What happened, in words. */
  readonly lines: string[] = [];

  constructor(world: World) {
    this.#world = world;
    this.#assumptions = { ...DEFAULT_ASSUMPTIONS, ...world.assumptions };
    this.#service = createEmulator(seedOf(world.start), {
      // One address for all histories: what a process keeps for an address is never released.
      origin: `http://histories-${world.concurrency}.test`,
      rateLimit: false,
      random: world.start.size + 1,
      assumptions: world.assumptions,
    });
    this.#service.clock.set(START + 400 * 24 * 3_600_000);
    this.#unseen = new Unseen(this.#assumptions);
    this.#editor = new Editor(this.#service, this.#unseen, world.start);
    this.#sites = world.sites.map((choice) => new Site(choice, world));
  }

  async step(step: Step): Promise<void> {
    switch (step.kind) {
      case 'edit':
        return this.#say((await this.#editor.edit(step.edit)) ?? `(cannot ${step.edit.kind})`);
      case 'wait':
        this.#service.clock.advance(step.ms);
        return this.#say(`wait ${step.ms} ms`);
      case 'edit many':
        this.#editor.editMany(step.model, step.count);
        return this.#say(`edit up to ${step.count} ${step.model}s`);
      case 'change map':
        return this.#say(
          `site ${step.site % this.#sites.length}: map now has ${step.toggle} ${this.#site(step.site).toggle(step.toggle)}`,
        );
      case 'copy cache':
        this.#copy = {
          cache: this.#cache.copy(),
          known: new Map(this.#known),
          stores: this.#sites.map(({ store }) => store.copy()),
        };
        return this.#say('copy the cache');
      case 'put back cache':
        return this.#putBack(step.stores);
      case 'wipe cache':
        this.#cache.wipe();
        this.#known.clear();
        return this.#say('wipe the cache');
      case 'build':
        return this.#build(step);
    }
  }

  /** At the end each site is right, and exactly right once everything is read again. */
  async end(): Promise<void> {
    this.#service.clock.advance(this.#assumptions.purgeDelay);
    for (const site of this.#sites.keys()) {
      await this.#build({ ...QUIET, site });
      await this.#build({ ...QUIET, site, verify: true });
    }
  }

  #putBack(stores: boolean): void {
    if (!this.#copy) return;
    this.#cache.putBack(this.#copy.cache);
    this.#known = new Map(this.#copy.known);
    if (stores)
      for (const [index, site] of this.#sites.entries())
        site.store = (this.#copy.stores[index] as Site['store']).copy();
    this.#say(`put back the copy of the cache${stores ? ' and of Astro’s store' : ''}`);
  }

  async #build(build: Build): Promise<void> {
    const site = this.#site(build.site);
    if (build.emptyStore) site.store = new Site(site.choice, this.#world).store;
    const begun = this.#unseen.next;
    const isCold = this.#known.size === 0;
    const known = this.#startKnowing(build);
    const isStale = !isCold && this.#mayBeStale(build);
    const { process, edits, failed } = this.#process(build);
    const { error, touched } = await site.build(this.#service, build, process);
    this.#service.beforeRequest = undefined;
    this.#say(describeBuild(build, edits, failed() ? build.failure : undefined, error));

    if (touched.length > 0) throw new Error(`A load that failed changed ${touched.join(', ')}`);
    if (error !== undefined) {
      if (edits.length === 0 && !failed()) throw error;
      return;
    }
    if (edits.length > 0) {
      if (build.verify) this.#learn(build, (before) => ({ ...before, full: begun }));
      // What was read under edits may be a mixture; the next build is right.
      return this.#build({ ...QUIET, site: build.site, languages: build.languages });
    }
    if (isStale) return;
    const usedMoved = await this.#check(site, build, build.verify ? undefined : known);
    const membership = usedMoved ? undefined : this.#unseen.next;
    this.#learn(build, (before) => ({
      full: build.verify ? begun : before.full,
      membership: membership ?? before.membership,
    }));
  }

  /** Compares all entries that the build made. Returns whether it needed an excuse for what came or went. */
  async #check(site: Site, build: Build, known: Known | undefined): Promise<boolean> {
    const oracle = new Oracle(this.#service, site.view);
    const { drafts } = site.choice;
    const now = this.#service.clock.now();
    const isVisible = (id: number) => this.#editor.isVisible(id, drafts);
    const allowed: Allowed = known
      ? this.#unseen.allowed(known, { now, drafts, isVisible })
      : NOTHING_ALLOWED;
    const differences: string[] = [];
    let usedMoved = false;
    for (const collection of site.collections(build.languages)) {
      const expected = await oracle.entries(collection);
      const found = compareEntries(collection.name, expected, site.store.entries(collection.name), allowed);
      differences.push(...found.differences);
      usedMoved ||= found.usedMoved;
    }
    if (differences.length > 0) throw new Difference(differences);
    return usedMoved;
  }

  /** What the cache knows as the build begins; without a cache, all that the CDN does not hide. */
  #startKnowing(build: Build): Known {
    const states = knowingOf(build, this.#sites.length);
    const others = [...this.#known].filter(([name]) => states.some((state) => isSameKind(name, state)));
    const known = states.map((state) => {
      const cold = this.#unseen.coldStart(this.#service.clock.now(), this.#purgeDelay(build));
      const oldest = others.map(([, other]) => other).reduce(earlier, { full: cold, membership: cold });
      const found = this.#known.get(state) ?? oldest;
      this.#known.set(state, found);
      return found;
    });
    return known.reduce(earlier);
  }

  #learn(build: Build, next: (before: Known) => Known): void {
    for (const state of knowingOf(build, this.#sites.length)) {
      this.#known.set(state, next(this.#known.get(state) as Known));
    }
  }

  /** Whether copies of the CDN may be older than the last change, for a build that has a cache or reads them. */
  #mayBeStale(build: Build): boolean {
    if (build.verify || this.#site(build.site).choice.drafts) return false;
    return this.#service.clock.now() < this.#editor.changedAt + this.#purgeDelay(build);
  }

  #purgeDelay({ region }: Pick<Build, 'region'>): number {
    const { purgeDelay, purgeReach } = this.#assumptions;
    return purgeReach === 'some' && region === 'a' ? 0 : purgeDelay;
  }

  #process(build: Build): { process: Process; edits: string[]; failed: () => boolean } {
    const edits: string[] = [];
    let requests = 0;
    let hasEnded = false;
    this.#service.beforeRequest = async () => {
      const request = requests++;
      for (const edit of build.meanwhile[request] ?? []) {
        const done = await this.#editor.edit(edit);
        if (done !== undefined) edits.push(`in request ${request}: ${done}`);
      }
    };
    const network = failingFetch(this.#service, build, this.#world.bareHeaders);
    const { clock } = this.#service;
    return {
      edits,
      failed: () => network.failed,
      process: {
        storage: this.#cache,
        fetch: (url, init) => {
          if (hasEnded) return Promise.resolve(new Response('the process has ended', { status: 401 }));
          return network.fetch(url, init);
        },
        clock: {
          now: () => clock.now() + this.#world.skew,
          // Deadlines are never reached; pauses pass at once.
          sleep: (milliseconds) => {
            if (hasEnded || !Number.isFinite(milliseconds)) return new Promise(() => {});
            clock.advance(Math.ceil(milliseconds));
            return Promise.resolve();
          },
        },
        end: () => {
          hasEnded = true;
        },
      },
    };
  }

  #site(n: number): Site {
    return this.#sites[n % this.#sites.length] as Site;
  }

  #say(line: string): void {
    this.lines.push(line);
  }
}

/** The entries of a build are not what the service shows. */
class Difference extends Error {
  constructor(differences: readonly string[]) {
    const more = differences.length > 8 ? [`… and ${differences.length - 8} more`] : [];
    super(['Entries differ from what the service shows:', ...differences.slice(0, 8), ...more].join('\n  '));
  }
}

const QUIET: Build = {
  kind: 'build',
  site: 0,
  verify: false,
  languages: true,
  region: 'a',
  retries: 0,
  meanwhile: [],
  failure: undefined,
  emptyStore: false,
};

function knowingOf({ site, languages }: Build, sites: number): string[] {
  return languages ? [`${site % sites} main`, `${site % sites} others`] : [`${site % sites} main`];
}

function isSameKind(a: string, b: string): boolean {
  return a.endsWith('main') === b.endsWith('main');
}

function earlier(a: Known, b: Known): Known {
  return { full: Math.min(a.full, b.full), membership: Math.min(a.membership, b.membership) };
}

function describeBuild(
  build: Build,
  edits: readonly string[],
  failure: Failure | undefined,
  error: unknown,
): string {
  const { site, verify, languages, region, emptyStore } = build;
  const how = [
    ...(verify ? ['verify'] : []),
    ...(languages ? [] : ['main language only']),
    ...(region === 'b' ? ['region b'] : []),
    ...(emptyStore ? ['empty store'] : []),
    ...(failure ? [`${failure.kind} at request ${failure.nth} of ${failure.of}`] : []),
  ].join(', ');
  const result =
    error === undefined ? 'succeeds' : `fails (${String((error as Error).message).split('\n')[0]})`;
  return [`build of site ${site}${how && ` (${how})`} ${result}`, ...edits].join('\n      ');
}

/** Lives through a history; what it throws says how it went. */
export async function liveThrough({ world, steps }: History): Promise<void> {
  const life = new Life(world);
  try {
    for (const step of steps) await life.step(step);
    await life.end();
  } catch (error) {
    const told = life.lines.map((line, index) => `${String(index + 1).padStart(3)}. ${line}`);
    throw new Error(`${(error as Error).message}\n\nThe history:\n${told.join('\n')}`, { cause: error });
  }
}
