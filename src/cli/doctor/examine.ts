import { LuidError } from '../../shared/errors.ts';
import { ACCESS_CHECKS } from './access-checks.ts';
import { type ExamineOptions, readSamples } from './examined.ts';
import { FILTER_CHECKS } from './filter-checks.ts';
import { type Check, cannotBeSeen, type Finding } from './finding.ts';
import { LIST_CHECKS } from './list-checks.ts';
import { TIME_CHECKS } from './time-checks.ts';
import { VALUE_CHECKS } from './value-checks.ts';

export const CHECKS: readonly Check[] = [
  ...ACCESS_CHECKS,
  ...LIST_CHECKS,
  ...FILTER_CHECKS,
  ...TIME_CHECKS,
  ...VALUE_CHECKS,
];

export interface Diagnosis {
  readonly requests: number;
  readonly items: number;
  /** Only if there is a key for drafts. */
  readonly draftItems: number | undefined;
  readonly languages: number;
  readonly findings: readonly { readonly check: Check; readonly finding: Finding }[];
}

/** Compares the service with what this package assumes about it, by reading. */
export async function examine(
  options: ExamineOptions,
  onStep: (step: string) => void = () => {},
): Promise<Diagnosis> {
  onStep('reading samples');
  const examined = await readSamples(options);
  const findings: Diagnosis['findings'][number][] = [];
  for (const check of CHECKS) {
    onStep(check.name);
    findings.push({ check, finding: await findOrGiveUp(() => check.find(examined)) });
  }
  const { api, drafts, languages } = examined;
  return {
    requests: api.reader.seen.requests + (drafts?.reader.seen.requests ?? 0),
    items: api.total,
    draftItems: drafts?.total,
    languages: 1 + languages.size,
    findings,
  };
}

/** A request that the service fails to answer ends only its own check. Without a status, it is not reachable. */
async function findOrGiveUp(find: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await find();
  } catch (error) {
    if (!LuidError.is(error) || error.status === undefined || error.status === 401) throw error;
    return cannotBeSeen(`a request of this check failed with status ${error.status}`);
  }
}
