import { pluralize } from '../../shared/format-count.ts';
import { logInfo, print, styled } from '../shared/output.ts';
import type { Diagnosis } from './examine.ts';
import { VERDICTS, type Verdict } from './finding.ts';

/** The report file. It has no content, keys, titles, LUIDs or URLs: only what checks say, and numbers. */
interface DoctorReport {
  readonly ok: boolean;
  readonly requests: number;
  readonly items: number;
  readonly draftItems?: number | undefined;
  readonly languages: number;
  readonly checks: readonly {
    readonly name: string;
    readonly verdict: Verdict;
    readonly assumption: string;
    readonly evidence: string;
    readonly effect?: string;
    readonly setting?: string | undefined;
  }[];
}

export function createReport({ findings, ...counts }: Diagnosis): DoctorReport {
  return {
    ok: findings.every(({ finding }) => finding.verdict !== 'differs'),
    ...counts,
    checks: findings.map(
      ({ check: { name, assumption, effect }, finding: { verdict, evidence, setting } }) => ({
        name,
        verdict,
        assumption,
        evidence,
        ...(verdict === 'differs' && { effect, setting }),
      }),
    ),
  };
}

const STYLES = { 'as assumed': 'green', differs: 'yellow', 'cannot be seen': 'dim' } as const;

/** The result on stdout: the differences first to last as they were checked, each with its effect. */
export function printReport({ checks, requests }: DoctorReport): void {
  for (const { name, verdict, assumption, evidence, effect, setting } of checks) {
    print(`${verdict.padEnd(14)}  ${name}: ${assumption}`);
    print(`${' '.repeat(16)}seen: ${evidence}`);
    if (effect) print(`${' '.repeat(16)}effect: ${effect}`);
    if (setting) print(`${' '.repeat(16)}setting: ${setting}`);
  }
  const counts = VERDICTS.map((verdict) => {
    const count = checks.filter((check) => check.verdict === verdict).length;
    return styled(STYLES[verdict], `${count} ${verdict}`);
  });
  logInfo(`${counts.join(', ')} (${pluralize(requests, 'request')}).`);
}
