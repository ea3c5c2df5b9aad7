import type { Build, History, Step, World } from './steps.ts';

/** Runs a history; resolves with the error, if it ends in one. */
export type Attempt = (history: History) => Promise<Error | undefined>;

export interface Shortened {
  readonly history: History;
  readonly error: Error;
  readonly attempts: number;
}

/** Leaves out of a history that fails whatever it fails without, for at most so many attempts. */
export async function shorten(
  failing: History,
  error: Error,
  attempt: Attempt,
  most = 400,
): Promise<Shortened> {
  let best = { history: failing, error };
  let attempts = 0;
  const isShorter = async (history: History): Promise<boolean> => {
    if (attempts >= most) return false;
    attempts += 1;
    const found = await attempt(history);
    // Another error is another story.
    if (!found || firstLine(found) !== firstLine(error)) return false;
    best = { history, error: found };
    return true;
  };

  for (
    let size = Math.ceil(failing.steps.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = best.history.steps.length - size; at > -size; at -= size) {
      const { world, steps } = best.history;
      await isShorter({ world, steps: steps.filter((_, index) => index < at || index >= at + size) });
    }
  }
  for (const simpler of SIMPLER_WORLDS) {
    const { world, steps } = best.history;
    const candidate = simpler(world);
    if (JSON.stringify(candidate) !== JSON.stringify(world)) await isShorter({ world: candidate, steps });
  }
  for (const name of Object.keys(best.history.world.assumptions)) {
    const { world, steps } = best.history;
    const rest = Object.entries(world.assumptions).filter(([other]) => other !== name);
    await isShorter({ world: { ...world, assumptions: Object.fromEntries(rest) }, steps });
  }
  for (const index of best.history.steps.keys()) {
    for (const simpler of SIMPLER_BUILDS) {
      const { world, steps } = best.history;
      const step = steps[index] as Step;
      if (step.kind !== 'build') continue;
      const candidate = simpler(step);
      if (JSON.stringify(candidate) === JSON.stringify(step)) continue;
      await isShorter({ world, steps: steps.map((other, n) => (n === index ? candidate : other)) });
    }
    await shortenMeanwhile(index);
  }
  return { ...best, attempts };

  async function shortenMeanwhile(index: number): Promise<void> {
    const editsOf = () => (best.history.steps[index] as Build).meanwhile;
    if (best.history.steps[index]?.kind !== 'build') return;
    for (const [request, edits] of editsOf().entries()) {
      for (let edit = edits.length - 1; edit >= 0; edit--) {
        const { world, steps } = best.history;
        const meanwhile = editsOf().map((all, n) => (n === request ? all.filter((_, m) => m !== edit) : all));
        const candidate = { ...(steps[index] as Build), meanwhile };
        await isShorter({ world, steps: steps.map((other, n) => (n === index ? candidate : other)) });
      }
    }
  }
}

function firstLine({ message }: Error): string | undefined {
  return message.split('\n')[0];
}

const SIMPLER_WORLDS: readonly ((world: World) => World)[] = [
  (world) => ({ ...world, sites: world.sites.slice(0, 1) }),
  (world) => ({ ...world, sites: world.sites.slice(-1) }),
  (world) => ({ ...world, start: { ...world.start, size: Math.min(world.start.size, 40) } }),
  (world) => ({ ...world, start: { ...world.start, size: Math.min(world.start.size, 260) } }),
  (world) => ({ ...world, start: { ...world.start, subSpaces: false } }),
  (world) => ({ ...world, assumptions: {} }),
  (world) => ({ ...world, skew: 0 }),
  (world) => ({ ...world, bareHeaders: false }),
  (world) => ({ ...world, sites: world.sites.map((site) => ({ ...site, drafts: false })) }),
  (world) => ({ ...world, sites: world.sites.map((site) => ({ ...site, fallback: false })) }),
  (world) => ({
    ...world,
    sites: world.sites.map((site) => ({
      ...site,
      map: { ...site.map, noteFormat: 'html' as const, authorFormat: 'html' as const },
    })),
  }),
  (world) => ({ ...world, sites: world.sites.map((site) => ({ ...site, depth: 1 as const })) }),
];

const SIMPLER_BUILDS: readonly ((build: Build) => Build)[] = [
  (build) => ({ ...build, meanwhile: [] }),
  (build) => ({ ...build, failure: undefined }),
  (build) => ({ ...build, verify: false }),
  (build) => ({ ...build, region: 'a' }),
  (build) => ({ ...build, languages: false }),
  (build) => ({ ...build, emptyStore: false }),
];
