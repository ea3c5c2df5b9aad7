import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readEnvironment } from '../astro/dev-environment.ts';
import { connection } from '../client/connection.ts';
import { isLuid } from '../contract/luid.ts';
import { inferModels } from './infer/infer.ts';
import { askOnTerminal, besideOf, Cancelled, type Questions } from './init/ask.ts';
import { type Plan, type PlannedFile, planFiles } from './init/plan.ts';
import { reportSurvey, showDifference } from './init/report.ts';
import { type FileToWrite, writeFiles } from './init/write-files.ts';
import { BadOption, flag, list, parseOptions, text, type Values } from './options.ts';
import { endOnSignals } from './signals.ts';
import { survey, surveyOf } from './survey/survey.ts';
import { note, print, printJson, styled, warn } from './talk.ts';

const HELP = `luid init: from an address and a key to a typed, working site

Looks at the content (the service has no endpoint that tells its models), infers the models and writes
src/space.ts, src/content.config.ts and the lines for .env; in an empty folder a small site as well.

  --base-url URL        the service, with its version segment (default: LUID_BASE_URL)
  --api-key KEY         (default: LUID_API_KEY)
  --dir DIR             the project (default: this folder)
  --models a,b          only these models (default: all that are found)
  --sub-space LUID      only this space, where there are sub-spaces
  --header NAME         the header of the API key (default: X-SERVICE-API-KEY)
  --yes                 ask nothing. Files that are there and differ are shown and kept: exit code 1
  --force               with --yes: replace them
  --json                the map, what speaks for each field, and the files, on stdout

Each field is written with its evidence, "48 of 50, 3 values". What the content does not show clearly is
marked "uncertain"; what was always empty is field.unknown(). Nothing is written before you agreed, and all
files are written or none. Run again after the models have changed: it shows what differs, and asks.

  luid init
  luid init --yes --base-url https://…/v1 --api-key KEY --dir my-site
  luid init --models article,author
`;

const OPTIONS = {
  'base-url': text('an address such as https://…/v1'),
  'api-key': text('the key'),
  dir: text('a folder'),
  models: list('LUIDs of models, such as article,author'),
  'sub-space': text('the LUID of a space'),
  header: text('the name of a header'),
  yes: flag,
  force: flag,
  json: flag,
};

export async function initCommand(args: string[]): Promise<number> {
  const options = parseOptions('init', OPTIONS, args);
  if (options.help) {
    print(HELP);
    return 0;
  }
  checkOptions(options);
  const release = endOnSignals(async () => {}, { SIGINT: 130, SIGTERM: 143 });
  try {
    return await init(options);
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    note('Nothing was written.');
    return 130;
  } finally {
    release();
  }
}

async function init(options: Values<typeof OPTIONS>): Promise<number> {
  const folder = resolve(options.dir ?? '.');
  const questions = options.yes ? answered(options.force) : await askOnTerminal();
  const access = { ...(await findAccess(options, folder, questions)), ...settingsOf(options) };
  const found = connection({
    ...access,
    apiKeyHeader: options.header,
    apiKeyVariable: '--api-key or LUID_API_KEY',
    network: { retries: 3 },
  });
  const whole = await survey(async () => found, {
    models: options.models,
    space: access.subSpace,
    onStep: (step) => note(styled('dim', `… ${step}`)),
  });
  const names = whole.models.map(({ name }) => name);
  const seen = surveyOf(whole, options.models ?? (await questions.models(names)));
  const inferred = inferModels(seen.samples);
  reportSurvey(seen, inferred);

  const plan = planFiles(folder, seen, inferred, access);
  const { files, kept } = await settle(plan, questions);
  const paths = files.map(({ path }) => path);
  if (files.length > 0 && !(await questions.write(paths))) throw new Cancelled();
  writeFiles(folder, files);
  reportFiles(options.dir, plan, files, kept);
  if (options.json) {
    const { models, evidence, assetsUrl } = inferred;
    printJson({ models, evidence: Object.fromEntries(evidence), assetsUrl, written: paths, kept });
  }
  return kept.length > 0 && options.yes ? 1 : 0;
}

function checkOptions(options: Values<typeof OPTIONS>): void {
  const strange = [...(options.models ?? []), options['sub-space'] ?? '_parent'].find(
    (luid) => !isLuid(luid),
  );
  if (strange !== undefined) throw new BadOption('init', `${JSON.stringify(strange)} is no LUID`);
  if (options.yes || (process.stdin.isTTY && process.stderr.isTTY)) return;
  throw new BadOption('init', 'there is no terminal to ask on: give --yes, --base-url and --api-key');
}

function settingsOf(options: Values<typeof OPTIONS>) {
  return { header: options.header, subSpace: options['sub-space'] };
}

/** Address and key: as given, else from the environment and the project's `.env`, else asked for. */
async function findAccess(options: Values<typeof OPTIONS>, folder: string, questions: Questions) {
  const environment = readEnvironment(pathToFileURL(`${folder}/`), 'production');
  return questions.access({
    baseUrl: options['base-url'] ?? (environment.LUID_BASE_URL || undefined),
    apiKey: options['api-key'] ?? (environment.LUID_API_KEY || undefined),
  });
}

/** With --yes: everything has been said. */
function answered(force: boolean): Questions {
  return {
    async access({ baseUrl, apiKey }) {
      if (baseUrl === undefined)
        throw new BadOption('init', '--base-url is missing, and so is LUID_BASE_URL');
      if (apiKey === undefined) throw new BadOption('init', '--api-key is missing, and so is LUID_API_KEY');
      return { baseUrl, apiKey };
    },
    models: async (found) => found,
    replace: async () => (force ? 'replace' : 'keep'),
    write: async () => true,
  };
}

/** Which files are written, and which of those that differ stay as they are. */
async function settle(plan: Plan, questions: Questions): Promise<{ files: FileToWrite[]; kept: string[] }> {
  const files: FileToWrite[] = [];
  const kept: string[] = [];
  for (const file of plan.files) {
    if (file.state === 'same') continue;
    const choice = file.state === 'different' ? await differs(file, questions) : 'replace';
    if (choice === 'keep') kept.push(file.path);
    else files.push(choice === 'beside' ? { ...file, path: besideOf(file.path) } : file);
  }
  return { files, kept };
}

function differs(file: PlannedFile, questions: Questions) {
  showDifference(file);
  return questions.replace(file);
}

function reportFiles(
  dir: string | undefined,
  { files, isNewSite }: Plan,
  written: readonly FileToWrite[],
  kept: readonly string[],
): void {
  note('');
  for (const { path } of written) {
    const { about, state } = files.find((file) => file.path === path) ?? {};
    note(`${styled('green', 'wrote')} ${path}${state === 'added to' ? ` (added ${about})` : ''}`);
  }
  for (const path of kept) warn(`${path} differs and was kept as it is: --yes --force replaces it.`);
  if (written.length === 0 && kept.length === 0) note('Everything is as it would be written.');
  if (written.length === 0) return;
  const commands = [...(dir === undefined ? [] : [`cd ${dir}`]), 'npm install', 'npm run dev'];
  note(
    isNewSite
      ? `\nNext:\n${commands.map((command) => `  ${command}`).join('\n')}`
      : '\nNext: add `luid(space)` of astro-luid/integration to the integrations in astro.config.',
  );
}
