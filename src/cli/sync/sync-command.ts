import { ageText } from '../../replica/age.ts';
import { pluralize } from '../../shared/format-count.ts';
import { printable } from '../../shared/printable.ts';
import { cacheStats, type ModelStats } from '../shared/cache-stats.ts';
import { defineCommand, type Values } from '../shared/command.ts';
import { exitOnSignals } from '../shared/exit-on-signals.ts';
import { loadSpace, SPACE_OPTIONS } from '../shared/load-space.ts';
import { CACHE_OPTION, openCache } from '../shared/open-cache.ts';
import { flag, list } from '../shared/option-kinds.ts';
import { logInfo, logWarning, print, printJson, table } from '../shared/output.ts';
import { type SyncedReplica, type SyncOptions, syncSpace } from '../shared/sync-space.ts';
import { compareItems, type ItemDifference } from './item-differences.ts';
import { createProgressBar, type ProgressBar } from './progress-bar.ts';
import { readImages } from './read-images.ts';

const OPTIONS = {
  drafts: flag('sync drafts too, with the draft key'),
  lang: list('LANG,…', 'only these languages and the main one (default: all)', 'languages such as ja,en'),
  verify: flag('then do a full sync that bypasses the CDN, and report what was different'),
  stats: flag('show items, bytes, files and age per model and language'),
  json: flag('print the result as JSON'),
  ...CACHE_OPTION,
  ...SPACE_OPTIONS,
};

const NOTES = `Exit codes: 0 up to date, 1 failure, 2 invalid options, 130 stopped by Ctrl-C, 143 by SIGTERM.

  luid sync
  luid sync --stats
  luid sync --verify --json`;

export const syncCommand = defineCommand(
  {
    name: 'sync',
    about: 'update the content cache that builds use, without running Astro',
    options: OPTIONS,
    notes: NOTES,
  },
  sync,
);

async function sync(options: Values<typeof OPTIONS>): Promise<number> {
  const { space, dir } = await loadSpace(options);
  const cache = await openCache(space, dir, options['cache-dir']);
  const removeSignalHandlers = exitOnSignals(cache.close);

  const main = space.settings.languages?.main ?? '';
  const languageName = (lang: string | undefined) => lang ?? main;
  const { drafts, verify, stats, json } = options;
  const syncOptions = { cache, drafts, langs: options.lang, ...createOutput(languageName) };
  const before = await syncSpace(space, syncOptions);
  if (verify) logInfo('Verifying: full sync, bypassing the CDN');
  const synced = verify ? await syncSpace(space, { ...syncOptions, forceFullSync: true }) : before;
  const replicas = synced.map(({ replica }) => replica);
  await readImages(space, drafts, replicas, cache.storage, { info: logInfo, warn: logWarning });
  const results: Result[] = [];
  for (const [index, { lang, replica }] of synced.entries()) {
    const known = verify && (await before[index]?.replica.items());
    results.push({
      lang: languageName(lang),
      summary: replica.summary,
      differences: known ? compareItems(known, await replica.items()) : undefined,
      models: stats ? await cacheStats(space, { storage: cache.storage, drafts, lang }) : undefined,
    });
  }
  removeSignalHandlers();
  await cache.storage.dispose().catch(() => {});

  if (json) {
    const languages = results.map(({ lang, summary, differences, models }) => {
      return { lang: lang || null, ...summary, differences, models };
    });
    printJson({ languages });
    return 0;
  }
  for (const { lang, differences } of results) if (differences) printDifferences(lang, differences);
  if (stats) print(statsTable(results));
  return 0;
}

/** What is reported for a language. */
interface Result {
  readonly lang: string;
  readonly summary: SyncedReplica['replica']['summary'];
  readonly differences: readonly ItemDifference[] | undefined;
  readonly models: readonly ModelStats[] | undefined;
}

/** A progress bar on a terminal, else log lines; prefixed with the language if there are several. */
function createOutput(
  languageName: (lang: string | undefined) => string,
): Pick<SyncOptions, 'logger' | 'progress'> {
  let bar: ProgressBar | undefined;
  const prefix = (lang: string | undefined) => (languageName(lang) ? `${languageName(lang)}: ` : '');
  const logger = (lang: string | undefined) => ({
    info(message: string) {
      bar?.clear();
      logInfo(prefix(lang) + message);
    },
    warn(message: string) {
      bar?.clear();
      logWarning(prefix(lang) + message);
    },
  });
  if (!process.stderr.isTTY) return { logger };
  const progress = (lang: string | undefined) => {
    bar = createProgressBar(languageName(lang));
    return bar;
  };
  return { logger, progress };
}

const MAX_SHOWN_DIFFERENCES = 20;

function printDifferences(lang: string, differences: readonly ItemDifference[]): void {
  const where = lang ? ` in ${lang}` : '';
  if (differences.length === 0) {
    logInfo(`Verified${where}: the cache matches the service`);
    return;
  }
  const count = pluralize(differences.length, 'item');
  logInfo(`Verified${where}: updated ${count} that differed from the service`);
  for (const { what, model, id, title, fields } of differences.slice(0, MAX_SHOWN_DIFFERENCES)) {
    logInfo(
      `  ${what} ${model} ${id} ${printable(JSON.stringify(title), 80)}${fields.length > 0 ? `: ${printable(fields.join(', '))}` : ''}`,
    );
  }
  if (differences.length > MAX_SHOWN_DIFFERENCES)
    logInfo(`  and ${differences.length - MAX_SHOWN_DIFFERENCES} more`);
}

function statsTable(results: readonly Result[]): string {
  const now = Date.now();
  const rows = results.flatMap(({ lang, models = [] }) =>
    models.map(({ model, items, segments, bytes, readAt }) => {
      return [model, lang, items, bytes, segments, ageText(now - readAt)];
    }),
  );
  return table([['model', 'language', 'items', 'bytes', 'files', 'age'], ...rows], process.stdout);
}
