import {
  type Assumptions,
  createEmulator,
  DEFAULT_ASSUMPTIONS,
  type Emulator,
} from '../../src/emulator/index.ts';
import { type Allowed, type Known, NOTHING_ALLOWED, UnreportedChanges } from './allowed-differences.ts';
import { compareEntries } from './compare-entries.ts';
import { Editor } from './editor.ts';
import { ExpectedEntries } from './expected-entries.ts';
import { failingFetch } from './network.ts';
import { START, seedOf } from './seed.ts';
import { type Process, Site } from './site.ts';
import type { Build, Failure, History, Setup, Step } from './steps.ts';
import { CacheStorage } from './storage.ts';

/** The service, the sites and their shared cache during a history. */
class HistoryRun {
  readonly #setup: Setup;
  readonly #assumptions: Assumptions;
  readonly #service: Emulator;
  readonly #editor: Editor;
  readonly #unreported: UnreportedChanges;
  readonly #sites: readonly Site[];
  readonly #cache = new CacheStorage();
  /**
   * What the cache knows, by site, by its map, and by whether it is of the main language or of the others. What was read
   * with a map is kept for other sites, as old as it is, when the site has another map.
   */
  #known = new Map<string, Known>();
  #copy:
    | { cache: ReadonlyMap<string, unknown>; known: Map<string, Known>; stores: Site['store'][] }
    | undefined;
  /** A log of the history. */
  readonly lines: string[] = [];

  constructor(setup: Setup) {
    this.#setup = setup;
    this.#assumptions = { ...DEFAULT_ASSUMPTIONS, ...setup.assumptions };
    this.#service = createEmulator(seedOf(setup.start), {
      // One origin for all histories: what a process keeps per origin is never released.
      origin: `http://histories-${setup.concurrency}.test`,
      rateLimit: false,
      random: setup.start.size + 1,
      assumptions: setup.assumptions,
    });
    this.#service.clock.set(START + 400 * 24 * 3_600_000);
    this.#unreported = new UnreportedChanges(this.#assumptions);
    this.#editor = new Editor(this.#service, this.#unreported, setup.start);
    this.#sites = setup.sites.map((choice) => new Site(choice, setup));
  }

  async step(step: Step): Promise<void> {
    switch (step.kind) {
      case 'edit':
        return this.#log((await this.#editor.edit(step.edit)) ?? `(cannot ${step.edit.kind})`);
      case 'wait':
        this.#service.clock.advance(step.ms);
        return this.#log(`wait ${step.ms} ms`);
      case 'edit many':
        this.#editor.editMany(step.model, step.count);
        return this.#log(`edit up to ${step.count} ${step.model}s`);
      case 'archive many':
        this.#editor.archiveMany(step.model, step.count);
        return this.#log(`archive up to ${step.count} ${step.model}s`);
      case 'change map':
        return this.#log(
          `site ${step.site % this.#sites.length}: map now has ${step.toggle} ${this.#site(step.site).toggle(step.toggle)}`,
        );
      case 'copy cache':
        this.#copy = {
          cache: this.#cache.copy(),
          known: new Map(this.#known),
          stores: this.#sites.map(({ store }) => store.copy()),
        };
        return this.#log('copy the cache');
      case 'restore cache':
        return this.#restoreCache(step.stores);
      case 'clear cache':
        this.#cache.clear();
        this.#known.clear();
        return this.#log('clear the cache');
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

  #restoreCache(stores: boolean): void {
    if (!this.#copy) return;
    this.#cache.restore(this.#copy.cache);
    this.#known = new Map(this.#copy.known);
    if (stores)
      for (const [index, site] of this.#sites.entries())
        site.store = (this.#copy.stores[index] as Site['store']).copy();
    this.#log(`restore the copy of the cache${stores ? ' and of Astro’s store' : ''}`);
  }

  async #build(build: Build): Promise<void> {
    const site = this.#site(build.site);
    if (build.emptyStore) site.store = new Site(site.choice, this.#setup).store;
    const begun = this.#unreported.next;
    const isCold = this.#known.size === 0;
    const known = this.#knownAtStart(build);
    const isStale = !isCold && this.#mayBeStale(build);
    const { process, edits, failed } = this.#process(build);
    const { error, touched } = await site.build(this.#service, build, process);
    this.#service.beforeRequest = undefined;
    this.#log(describeBuild(build, edits, failed() ? build.failure : undefined, error));

    if (touched.length > 0) throw new Error(`A load that failed changed ${touched.join(', ')}`);
    if (error !== undefined) {
      if (edits.length === 0 && !failed()) throw error;
      return;
    }
    if (edits.length > 0) {
      if (build.verify) this.#recordKnown(build, (before) => ({ ...before, full: begun }));
      if (!build.isFollowed) return;
      // What was read under edits may be a mixture; the next build is right.
      return this.#build({ ...QUIET, site: build.site, languages: build.languages });
    }
    if (isStale) return;
    const usedMoved = await this.#check(site, build, build.verify ? undefined : known);
    const membership = usedMoved ? undefined : this.#unreported.next;
    this.#recordKnown(build, (before) => ({
      full: build.verify ? begun : before.full,
      membership: membership ?? before.membership,
    }));
  }

  /** Compares all entries that the build made. Returns whether a missing or superfluous item was allowed. */
  async #check(site: Site, build: Build, known: Known | undefined): Promise<boolean> {
    const expectedEntries = new ExpectedEntries(this.#service, site.view);
    const { drafts } = site.choice;
    const now = this.#service.clock.now();
    const isVisible = (id: number) => this.#editor.isVisible(id, drafts);
    const allowed: Allowed = known
      ? this.#unreported.allowed(known, { now, drafts, isVisible })
      : NOTHING_ALLOWED;
    const isUndeclared = (id: number) => !Object.hasOwn(site.view.map, this.#editor.modelOf(id) ?? '');
    const { space } = site.view;
    const isUnknown = (id: number) =>
      isUndeclared(id) ||
      !this.#editor.isInMain(id) ||
      (space !== undefined && this.#editor.spaceOf(id) !== space);
    const undeclared = {
      mayBeId: (id: number) => isUnknown(id) && (known !== undefined || isVisible(id)),
      mayBeEmpty: (id: number) => isUndeclared(id) && known !== undefined && this.#editor.wasHidden(id),
    };
    // Content that is allowed to be stale may decide whether what refers to it is shown at all.
    const isCertain = Object.values(allowed).every((ids) => ids.size === 0);
    if (site.map.required.length > 0 && !isCertain) return true;
    const differences: string[] = [];
    let usedMoved = false;
    for (const collection of site.collections(build.languages)) {
      const expected = await expectedEntries.entries(collection);
      const actual = site.store.entries(collection.name);
      const found = compareEntries(collection.name, expected, actual, allowed, undeclared);
      differences.push(...found.differences);
      usedMoved ||= found.usedMoved;
    }
    if (differences.length > 0) throw new Difference(differences);
    return usedMoved;
  }

  /** What the cache knows as the build begins; without a cache, all that the CDN does not hide. */
  #knownAtStart(build: Build): Known {
    const states = this.#cacheStatesOf(build);
    const others = [...this.#known].filter(([name]) => states.some((state) => isSameKind(name, state)));
    const known = states.map((state) => {
      const cold = this.#unreported.coldStart(this.#service.clock.now(), this.#purgeDelay(build));
      const oldest = others.map(([, other]) => other).reduce(earlier, { full: cold, membership: cold });
      const found = this.#known.get(state) ?? oldest;
      this.#known.set(state, found);
      return found;
    });
    return known.reduce(earlier);
  }

  #recordKnown(build: Build, next: (before: Known) => Known): void {
    for (const state of this.#cacheStatesOf(build)) {
      this.#known.set(state, next(this.#known.get(state) as Known));
    }
  }

  #cacheStatesOf({ site, languages }: Build): string[] {
    const name = `${site % this.#sites.length} ${JSON.stringify(this.#site(site).map)}`;
    return languages ? [`${name} main`, `${name} others`] : [`${name} main`];
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
    const network = failingFetch(this.#service, build, this.#setup.bareHeaders);
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
          now: () => clock.now() + this.#setup.skew,
          // Deadlines are never reached; pauses pass at once, also after the end: the next process may share the limiter.
          sleep: (milliseconds) => {
            if (!Number.isFinite(milliseconds)) return new Promise(() => {});
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

  #log(line: string): void {
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
  concurrency: undefined,
  meanwhile: [],
  isFollowed: true,
  failure: undefined,
  emptyStore: false,
};

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
  const { site, verify, languages, region, emptyStore, concurrency } = build;
  const how = [
    ...(verify ? ['verify'] : []),
    ...(languages ? [] : ['main language only']),
    ...(region === 'b' ? ['region b'] : []),
    ...(emptyStore ? ['empty store'] : []),
    ...(concurrency ? [`${concurrency} requests in parallel`] : []),
    ...(failure ? [`${failure.kind} at request ${failure.nth} of ${failure.of}`] : []),
  ].join(', ');
  const result =
    error === undefined ? 'succeeds' : `fails (${String((error as Error).message).split('\n')[0]})`;
  return [`build of site ${site}${how && ` (${how})`} ${result}`, ...edits].join('\n      ');
}

/** Runs a history. An error contains its log. */
export async function runHistory({ setup, steps }: History): Promise<void> {
  const run = new HistoryRun(setup);
  try {
    for (const step of steps) await run.step(step);
    await run.end();
  } catch (error) {
    const lines = run.lines.map((line, index) => `${String(index + 1).padStart(3)}. ${line}`);
    throw new Error(`${(error as Error).message}\n\nThe history:\n${lines.join('\n')}`, { cause: error });
  }
}
