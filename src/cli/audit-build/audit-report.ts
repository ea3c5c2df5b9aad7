import { pluralize } from '../../shared/format-count.ts';
import { logInfo, print, styled } from '../shared/output.ts';
import type { AuditResult } from './audit-site.ts';
import { describeFinding, describeFix, type Finding } from './findings.ts';

/** What `luid audit-build --json` prints. */
export interface AuditReport {
  /** No page stays old. */
  readonly ok: boolean;
  /** `false`: the site does not use incremental builds. */
  readonly incremental: boolean;
  /** How many pages have a `cacheKey`. */
  readonly pages: number;
  readonly builds: number;
  readonly findings: readonly (Finding & { readonly message: string })[];
  readonly notes: readonly string[];
}

export function createReport({ findings, ...result }: AuditResult, builds: number): AuditReport {
  const described = findings.map((finding) => ({ ...finding, message: describeFinding(finding) }));
  return { ok: findings.length === 0, ...result, builds, findings: described };
}

/** Prints the report for people: findings by route on stdout, everything else on stderr. */
export function printReport({ ok, incremental, pages, builds, findings, notes }: AuditReport): void {
  if (!incremental) {
    logInfo(
      'The site does not use incremental builds (experimental.incrementalBuild in astro.config): every build renders all pages, so none stays old.',
    );
    return;
  }
  for (const note of notes) logInfo(styled('dim', note));
  for (const [route, own] of Map.groupBy(findings, (finding) => finding.route)) {
    print(route);
    for (const alike of Map.groupBy(own, likeness).values()) {
      const [first] = alike as [AuditReport['findings'][number]];
      const more = alike.length - 1;
      print(
        `  ${first.message}${more > 0 ? `; so ${more > 1 ? 'do' : 'does'} ${pluralize(more, 'other page')}` : ''}`,
      );
      print(`    → ${describeFix(first)}`);
    }
  }
  const keyed = pluralize(pages, 'page');
  if (ok)
    logInfo(styled('green', `None of ${keyed} with a cacheKey stays old (${pluralize(builds, 'build')}).`));
  else {
    const stale = new Set(findings.map(({ page }) => page)).size;
    logInfo(
      styled('red', `${stale} of ${keyed} with a cacheKey can stay old (${pluralize(builds, 'build')}).`),
    );
  }
}

/** Findings that only differ in their page. */
function likeness({ change, model, fields, missing, lang }: Finding): string {
  return JSON.stringify([change, model, fields, missing, lang]);
}
