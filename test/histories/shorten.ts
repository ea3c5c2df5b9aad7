import type { Build, History, Setup, Step } from './steps.ts';

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
      const { setup, steps } = best.history;
      await isShorter({ setup, steps: steps.filter((_, index) => index < at || index >= at + size) });
    }
  }
  for (const simpler of SIMPLER_SETUPS) {
    const { setup, steps } = best.history;
    const candidate = simpler(setup);
    if (JSON.stringify(candidate) !== JSON.stringify(setup)) await isShorter({ setup: candidate, steps });
  }
  for (const name of Object.keys(best.history.setup.assumptions)) {
    const { setup, steps } = best.history;
    const rest = Object.entries(setup.assumptions).filter(([other]) => other !== name);
    await isShorter({ setup: { ...setup, assumptions: Object.fromEntries(rest) }, steps });
  }
  for (const index of best.history.steps.keys()) {
    for (const simpler of SIMPLER_BUILDS) {
      const { setup, steps } = best.history;
      const step = steps[index] as Step;
      if (step.kind !== 'build') continue;
      const candidate = simpler(step);
      if (JSON.stringify(candidate) === JSON.stringify(step)) continue;
      await isShorter({ setup, steps: steps.map((other, n) => (n === index ? candidate : other)) });
    }
    await shortenMeanwhile(index);
  }
  return { ...best, attempts };

  async function shortenMeanwhile(index: number): Promise<void> {
    const editsOf = () => (best.history.steps[index] as Build).meanwhile;
    if (best.history.steps[index]?.kind !== 'build') return;
    for (const [request, edits] of editsOf().entries()) {
      for (let edit = edits.length - 1; edit >= 0; edit--) {
        const { setup, steps } = best.history;
        const meanwhile = editsOf().map((all, n) => (n === request ? all.filter((_, m) => m !== edit) : all));
        const candidate = { ...(steps[index] as Build), meanwhile };
        await isShorter({ setup, steps: steps.map((other, n) => (n === index ? candidate : other)) });
      }
    }
  }
}

function firstLine({ message }: Error): string | undefined {
  return message.split('\n')[0];
}

const SIMPLER_SETUPS: readonly ((setup: Setup) => Setup)[] = [
  (setup) => ({ ...setup, sites: setup.sites.slice(0, 1) }),
  (setup) => ({ ...setup, sites: setup.sites.slice(-1) }),
  (setup) => ({ ...setup, start: { ...setup.start, size: Math.min(setup.start.size, 40) } }),
  (setup) => ({ ...setup, start: { ...setup.start, size: Math.min(setup.start.size, 260) } }),
  (setup) => ({ ...setup, start: { ...setup.start, subSpaces: false } }),
  (setup) => ({ ...setup, assumptions: {} }),
  (setup) => ({ ...setup, skew: 0 }),
  (setup) => ({ ...setup, bareHeaders: false }),
  (setup) => ({ ...setup, sites: setup.sites.map((site) => ({ ...site, drafts: false })) }),
  (setup) => ({ ...setup, sites: setup.sites.map((site) => ({ ...site, fallback: false })) }),
  (setup) => ({
    ...setup,
    sites: setup.sites.map((site) => ({
      ...site,
      map: { ...site.map, noteFormat: 'html' as const, authorFormat: 'html' as const },
    })),
  }),
  (setup) => ({ ...setup, sites: setup.sites.map((site) => ({ ...site, depth: 1 as const })) }),
];

const SIMPLER_BUILDS: readonly ((build: Build) => Build)[] = [
  (build) => ({ ...build, meanwhile: [] }),
  (build) => ({ ...build, isFollowed: true }),
  (build) => ({ ...build, concurrency: undefined }),
  (build) => ({ ...build, failure: undefined }),
  (build) => ({ ...build, verify: false }),
  (build) => ({ ...build, region: 'a' }),
  (build) => ({ ...build, languages: false }),
  (build) => ({ ...build, emptyStore: false }),
];
