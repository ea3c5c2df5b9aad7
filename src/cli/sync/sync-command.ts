import { resolve } from 'node:path';
import { pluralize } from '../../format-count.ts';
import { printable } from '../../printable.ts';
import { ageText } from '../../replica/age.ts';
import { cacheStats, type ModelStats } from '../shared/cache-stats.ts';
import { flag, list, nonEmpty, parseOptions } from '../shared/command-options.ts';
import { exitOnSignals } from '../shared/exit-on-signals.ts';
import { loadSpace, SPACE_HELP, SPACE_OPTIONS } from '../shared/load-space.ts';
import { openCache } from '../shared/open-cache.ts';
import { logInfo, logWarning, print, printJson, table } from '../shared/output.ts';
import { type SyncedReplica, type SyncOptions, syncSpace } from '../shared/sync-space.ts';
import { compareItems, type ItemDifference } from './item-differences.ts';
import { createProgressBar, type ProgressBar } from './progress-bar.ts';

const HELP = `luid sync: update the content cache that builds use, without running Astro

  --drafts              sync drafts too, with the draft key
  --lang LANG,…         only these languages and the main one (default: all)
  --verify              then do a full sync that bypasses the CDN, and report what was different
  --stats               show items, bytes, files and age per model and language
  --json                print the result as JSON
  --cache-dir DIR       Astro's cacheDir, if astro.config sets one (default: node_modules/.astro)
${SPACE_HELP}

Exit codes: 0 up to date, 1 failure, 2 invalid options, 130 stopped by Ctrl-C, 143 by SIGTERM.

  luid sync
  luid sync --stats
  luid sync --verify --json
`;

const OPTIONS = {
  ...SPACE_OPTIONS,
  drafts: flag,
  lang: list('languages such as ja,en'),
  verify: flag,
  stats: flag,
  json: flag,
  'cache-dir': nonEmpty('a folder'),
};

export async function syncCommand(args: string[]): Promise<number> {
  const options = parseOptions('sync', OPTIONS, args);
  if (options.help) {
    print(HELP);
    return 0;
  }
  const dir = resolve(options.dir ?? '.');
  const { space } = await loadSpace({ dir, file: options.space, name: options.export });
  const cache = await openCache(space, { dir, astroCacheDir: options['cache-dir'] });
  const removeSignalHandlers = exitOnSignals(() => cache.close(), { SIGINT: 130, SIGTERM: 143 });

  const main = space.settings.languages?.main ?? '';
  const languageName = (lang: string | undefined) => lang ?? main;
  const { drafts } = options;
  const syncOptions = { cache, drafts, langs: options.lang, ...createOutput(languageName) };
  let synced = await syncSpace(space, syncOptions);
  let differences: Map<string | undefined, ItemDifference[]> | undefined;
  if (options.verify) {
    logInfo('Verifying: full sync, bypassing the CDN');
    const before = synced;
    synced = await syncSpace(space, { ...syncOptions, forceFullSync: true });
    differences = await compareReplicas(before, synced);
  }
  const stats = new Map<string | undefined, ModelStats[]>();
  for (const { lang } of options.stats ? synced : []) {
    stats.set(lang, await cacheStats(space, { storage: cache.storage, drafts, lang }));
  }
  removeSignalHandlers();

  if (options.json) {
    printJson({
      languages: synced.map(({ lang, replica }) => ({
        lang: languageName(lang) || null,
        ...replica.summary,
        ...(differences && { differences: differences.get(lang) }),
        ...(options.stats && { models: stats.get(lang) }),
      })),
    });
    return 0;
  }
  for (const [lang, found] of differences ?? []) printDifferences(languageName(lang), found);
  if (options.stats) print(statsTable(stats, languageName));
  return 0;
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

async function compareReplicas(before: readonly SyncedReplica[], after: readonly SyncedReplica[]) {
  const found = new Map<string | undefined, ItemDifference[]>();
  for (const [index, { lang, replica }] of after.entries()) {
    const known = (await before[index]?.replica.items()) ?? new Map();
    found.set(lang, compareItems(known, await replica.items()));
  }
  return found;
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

function statsTable(
  stats: ReadonlyMap<string | undefined, ModelStats[]>,
  languageName: (lang: string | undefined) => string,
): string {
  const now = Date.now();
  const rows = [...stats].flatMap(([lang, models]) =>
    models.map(({ model, items, segments, bytes, readAt }) => [
      model,
      languageName(lang),
      items,
      bytes,
      segments,
      ageText(now - readAt),
    ]),
  );
  return table([['model', 'language', 'items', 'bytes', 'files', 'age'], ...rows], process.stdout);
}
