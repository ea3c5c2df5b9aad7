import { currentPaths } from '../../astro/redirects/current-paths.ts';
import { REDIRECT_FILE, readRecords, writeRecord } from '../../astro/redirects/redirect-file.ts';
import { redirectedRoutes } from '../../astro/redirects/redirect-options.ts';
import { redirectsOf, updateRecord } from '../../astro/redirects/redirect-record.ts';
import { LuidConfigError } from '../../shared/errors.ts';
import { pluralize } from '../../shared/format-count.ts';
import { defineCommand } from '../shared/command.ts';
import { loadSpace, SPACE_OPTIONS } from '../shared/load-space.ts';
import { CACHE_OPTION } from '../shared/open-cache.ts';
import { flag } from '../shared/option-kinds.ts';
import { logInfo, logWarning, print, printJson, table } from '../shared/output.ts';
import { loadSiteConfig } from '../shared/site-config.ts';

const OPTIONS = {
  json: flag('print the redirects as JSON'),
  ...CACHE_OPTION,
  ...SPACE_OPTIONS,
};

const ABOUT = `record the URLs of the content, so that former ones are redirected

Syncs the content, compares its URLs with those in ${REDIRECT_FILE} and in the cache, and writes what has changed to
${REDIRECT_FILE}. Commit it: builds without a cache know former URLs only from there. The routes are set in astro.config:
luid(space, { redirects: { route: '/articles/[id]', keep: '1y' } }).`;

const NOTES = `Exit codes: 0 recorded, 1 failure, 2 invalid options. With nothing changed, the file stays as it is.

  luid redirects
  luid redirects --json`;

export const redirectsCommand = defineCommand(
  { name: 'redirects', about: ABOUT, options: OPTIONS, notes: NOTES },
  async (options) => {
    const { space, dir } = await loadSpace(options);
    const { cacheDir, options: passed } = await loadSiteConfig(dir, space, options['cache-dir']);
    if (!passed.redirects) {
      throw new LuidConfigError('astro.config has no `redirects`', {
        hint: "Add luid(space, { redirects: { route: '/articles/[id]' } }) to its `integrations`.",
      });
    }
    const routes = redirectedRoutes(passed.redirects, space);
    const known = readRecords(dir, cacheDir);
    const logger = { info: logInfo, warn: logWarning };
    const record = updateRecord(known, await currentPaths(space, routes, cacheDir, logger), Date.now());
    const isWritten = writeRecord(dir, record);

    const redirects = redirectsOf(record);
    if (options.json) printJson({ redirects });
    else if (redirects.length > 0) {
      const rows = redirects.map(({ from, to, since }) => [from, to, since]);
      print(table([['from', 'to', 'since'], ...rows], process.stdout));
    }
    const count = pluralize(redirects.length, 'redirect');
    logInfo(`${count}. ${REDIRECT_FILE} is ${isWritten ? 'updated: commit it' : 'up to date'}.`);
    return 0;
  },
);
