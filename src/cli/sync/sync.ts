import { resolve } from 'node:path';
import { pluralize } from '../../format-count.ts';
import { printable } from '../../printable.ts';
import { ageText } from '../../replica/age.ts';
import { openCache } from '../shared/cache.ts';
import { cacheStats, type ModelStats } from '../shared/cache-stats.ts';
import { flag, list, parseOptions, text } from '../shared/command-options.ts';
import { loadSpace, SPACE_HELP, SPACE_OPTIONS } from '../shared/load-space.ts';
import { note, print, printJson, table, warn } from '../shared/output.ts';
import { endOnSignals } from '../shared/signals.ts';
import { type Synced, type SyncOptions, syncSpace } from '../shared/sync-space.ts';
import { type Difference, differencesOf } from './item-differences.ts';
import { type Bar, createBar } from './progress-bar.ts';

const HELP = `luid sync: brings the cache that builds use up to date, without Astro

  --drafts              the content that the key for drafts shows
  --lang LANG,…         only these languages, and the main one (default: all)
  --verify              then read everything again, bypassing the CDN, and report what was different
  --stats               what the cache holds: items, bytes, files and age by model and language
  --json                the result on stdout, for machines
  --cache-dir DIR       Astro's cacheDir, if astro.config sets one (default: node_modules/.astro)
${SPACE_HELP}

Exit codes: 0 up to date, 1 it could not be done, 2 wrong usage, 130 ended by Ctrl-C, 143 by SIGTERM.

  luid sync
  luid sync --stats
  luid sync --verify --json
`;

const OPTIONS = {
  ...SPACE_OPTIONS,
  drafts: flag,
  lang: list('languages, such as ja,en'),
  verify: flag,
  stats: flag,
  json: flag,
  'cache-dir': text('a folder'),
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
  const release = endOnSignals(() => cache.close(), { SIGINT: 130, SIGTERM: 143 });

  const main = space.settings.languages?.main ?? '';
  const nameOf = (lang: string | undefined) => lang ?? main;
  const { drafts } = options;
  const how = { cache, drafts, langs: options.lang, ...talkOf(nameOf) };
  let synced = await syncSpace(space, how);
  let differences: Map<string | undefined, Difference[]> | undefined;
  if (options.verify) {
    note('Reading everything again, bypassing the CDN');
    const before = synced;
    synced = await syncSpace(space, { ...how, audit: true });
    differences = await compare(before, synced);
  }
  const stats = new Map<string | undefined, ModelStats[]>();
  for (const { lang } of options.stats ? synced : []) {
    stats.set(lang, await cacheStats(space, { storage: cache.storage, drafts, lang }));
  }
  release();

  if (options.json) {
    printJson({
      languages: synced.map(({ lang, replica }) => ({
        lang: nameOf(lang) || null,
        ...replica.summary,
        ...(differences && { differences: differences.get(lang) }),
        ...(options.stats && { models: stats.get(lang) }),
      })),
    });
    return 0;
  }
  for (const [lang, found] of differences ?? []) tellDifferences(nameOf(lang), found);
  if (options.stats) print(statsTable(stats, nameOf));
  return 0;
}

/** A bar on a terminal, lines elsewhere; with the language where there are several. */
function talkOf(nameOf: (lang: string | undefined) => string): Pick<SyncOptions, 'logger' | 'progress'> {
  let bar: Bar | undefined;
  const prefix = (lang: string | undefined) => (nameOf(lang) ? `${nameOf(lang)}: ` : '');
  const logger = (lang: string | undefined) => ({
    info(message: string) {
      bar?.clear();
      note(prefix(lang) + message);
    },
    warn(message: string) {
      bar?.clear();
      warn(prefix(lang) + message);
    },
  });
  if (!process.stderr.isTTY) return { logger };
  const progress = (lang: string | undefined) => {
    bar = createBar(nameOf(lang));
    return bar;
  };
  return { logger, progress };
}

async function compare(before: readonly Synced[], after: readonly Synced[]) {
  const found = new Map<string | undefined, Difference[]>();
  for (const [index, { lang, replica }] of after.entries()) {
    const known = (await before[index]?.replica.items()) ?? new Map();
    found.set(lang, differencesOf(known, await replica.items()));
  }
  return found;
}

const SHOWN = 20;

function tellDifferences(lang: string, differences: readonly Difference[]): void {
  const where = lang ? ` in ${lang}` : '';
  if (differences.length === 0) {
    note(`Verified${where}: the cache equals the service`);
    return;
  }
  const count = pluralize(differences.length, 'item differed', 'items differed');
  note(
    `Verified${where}: ${count} from the service, and ${differences.length === 1 ? 'is' : 'are'} up to date now`,
  );
  for (const { what, model, id, title, fields } of differences.slice(0, SHOWN)) {
    note(
      `  ${what} ${model} ${id} ${printable(JSON.stringify(title), 80)}${fields.length > 0 ? `: ${printable(fields.join(', '))}` : ''}`,
    );
  }
  if (differences.length > SHOWN) note(`  and ${differences.length - SHOWN} more`);
}

function statsTable(
  stats: ReadonlyMap<string | undefined, ModelStats[]>,
  nameOf: (lang: string | undefined) => string,
): string {
  const now = Date.now();
  const rows = [...stats].flatMap(([lang, models]) =>
    models.map(({ model, items, segments, bytes, readAt }) => [
      model,
      nameOf(lang),
      items,
      bytes,
      segments,
      ageText(now - readAt),
    ]),
  );
  return table([['model', 'language', 'items', 'bytes', 'files', 'age'], ...rows]);
}
