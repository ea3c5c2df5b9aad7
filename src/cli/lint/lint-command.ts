import { join, relative } from 'node:path';
import { editLink } from '../../astro/dev/toolbar.ts';
import { lintStoredContent, openStoredContent } from '../../astro/lint/lint-replica.ts';
import { lintedSite } from '../../astro/lint/site-paths.ts';
import { readRecords } from '../../astro/redirects/redirect-file.ts';
import { redirectsOf } from '../../astro/redirects/redirect-record.ts';
import { defineCommand, UsageError } from '../shared/command.ts';
import { loadSpace, SPACE_OPTIONS } from '../shared/load-space.ts';
import { CACHE_OPTION } from '../shared/open-cache.ts';
import { flag } from '../shared/option-kinds.ts';
import { logInfo, print, printJson } from '../shared/output.ts';
import { loadSiteConfig } from '../shared/site-config.ts';
import { type LintReport, printReport } from './lint-report.ts';
import { sarifLog } from './sarif.ts';
import { workflowCommands } from './workflow-commands.ts';

const OPTIONS = {
  json: flag('print the findings as JSON'),
  sarif: flag('print the findings as SARIF 2.1.0, for code scanning'),
  ...CACHE_OPTION,
  ...SPACE_OPTIONS,
};

const ABOUT = `find mistakes in the content

Reads what the last build or luid sync has stored, in all languages, and requests nothing. Finds broken links and
references, missing texts and translations, duplicates, large images, URLs that are not public, and secrets. Rules are set
in astro.config: luid(space, { lint: { rules: { 'duplicate-title': 'off' } } }).`;

const NOTES = `In GitHub Actions, findings are also annotations. Exit codes: 0 no errors (there may be warnings), 1 errors, or the content
cannot be read, 2 invalid options.

  luid sync && luid lint
  luid lint --sarif > lint.sarif`;

export const lintCommand = defineCommand(
  { name: 'lint', about: ABOUT, options: OPTIONS, notes: NOTES },
  async (options) => {
    if (options.json && options.sarif) throw new UsageError('lint', '--json and --sarif exclude each other');
    const { space, dir, path } = await loadSpace(options);
    const config = await loadSiteConfig(dir, space, options['cache-dir']);
    const { editUrl, lint = {} } = config.options;
    const former = readRecords(dir, config.cacheDir).flatMap(redirectsOf);
    const redirects = {
      ...config.redirects,
      ...Object.fromEntries(former.map(({ from, to }) => [from, to])),
    };
    const site = lintedSite({ ...config, redirects }, space, config.options);
    const cacheDir = join(config.cacheDir, 'astro-luid');
    const content = await openStoredContent(space, cacheDir, false);
    const found = await lintStoredContent(space, content, site, lint, cacheDir);
    const findings = found.map((finding) => {
      const url = editLink(`${finding.model}:${finding.id}`, editUrl)?.url;
      return { ...finding, ...(url !== undefined && { url }) };
    });
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const report: LintReport = {
      ok: errors === 0,
      items: content.main.size,
      errors,
      warnings: findings.length - errors,
      findings,
    };
    const missing = space.settings.languages?.sub?.filter((lang) => !content.sub.has(lang)) ?? [];
    if (missing.length > 0) {
      logInfo(`Not checked, because not in the cache: ${missing.join(', ')}. Run \`npx luid sync\`.`);
    }
    if (options.json) printJson(report);
    else if (options.sarif) printJson(sarifLog(report, relative(dir, path)));
    else {
      printReport(report);
      if (process.env.GITHUB_ACTIONS === 'true') for (const line of workflowCommands(report)) print(line);
    }
    return report.ok ? 0 : 1;
  },
);
