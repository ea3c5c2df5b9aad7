import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Connection } from '../../client/http/connection.ts';
import { isLuid } from '../../contract/luid.ts';
import { readEnvironment } from '../../space/env-files.ts';
import { type Inferred, inferModels } from '../infer/infer.ts';
import {
  BadOption,
  flag,
  list,
  type Option,
  parseOptions,
  text,
  type Values,
} from '../shared/command-options.ts';
import { endOnSignals } from '../shared/exit-on-signals.ts';
import { note, print, printJson, styled, warn } from '../shared/output.ts';
import { type Survey, survey, surveyOf } from '../survey/survey.ts';
import { allowedBy, type Collection, planCollections } from './collections.ts';
import { type Access, findAccess } from './connect.ts';
import { checkNotTracked, gitStateOf } from './git.ts';
import { inspectFolder, isInside, type ProjectFolder } from './inspect-project.ts';
import { planFiles, planSpaceFile } from './plan-files.ts';
import type { ManualChange, PlannedFile } from './planned-file.ts';
import { reportCollections, reportSurvey, showDifference, showManualChange } from './print-findings.ts';
import { reportFiles, reportGit, reportNext, warnOfOverrides } from './print-result.ts';
import { answerFromOptions, askOnTerminal, besideOf, Cancelled, type Questions } from './prompts.ts';
import { type FileToWrite, writeFiles } from './write-files.ts';

const HELP = `luid init: from a URL and a key to a typed, working site

Inspects the content (the service has no endpoint that describes its models), infers the models and writes
src/space.ts, src/content.config.ts and the variables in .env; in an empty folder a small site as well. In an
existing site it extends content.config.* and astro.config.* and shows each change first.

  --base-url URL        the service, with its version segment (default: LUID_BASE_URL)
  --api-key KEY         (default: LUID_API_KEY)
  --dir DIR             the project (default: this folder)
  --src-dir DIR         Astro's srcDir (default: as in astro.config, else src)
  --models a,b          only these models (default: all that are found)
  --sub-space LUID      only this space, where there are sub-spaces
  --header NAME         the header of the API key (default: X-SERVICE-API-KEY)
  --yes                 ask nothing: add what is missing, keep what differs (exit code 1)
  --force               with --yes: replace what differs
  --json                the models, the evidence for each field, and the files, on stdout

Each field is written with its evidence, "48 of 50, 3 values". What the content does not show clearly is marked
"uncertain"; what was always empty is field.unknown(). Nothing is written before you agree, and all files are
written or none. Run it again after the models have changed: it shows the difference field by field, and can add
only what is new.

  npx astro-luid init
  npx astro-luid init --yes --base-url https://…/v1 --api-key KEY --dir my-site
  npx astro-luid init --models article,author
`;

const folderInside: Option<string> = {
  type: 'string',
  wants: 'a folder inside the project, such as src',
  read: (value) => (value && isInside(value) ? value : undefined),
};

const OPTIONS = {
  'base-url': text('a URL such as https://…/v1'),
  'api-key': text('the key'),
  dir: text('a folder'),
  'src-dir': folderInside,
  models: list('LUIDs of models, such as article,author'),
  'sub-space': text('the LUID of a space'),
  header: text('the name of a header'),
  yes: flag,
  force: flag,
  json: flag,
};
type InitOptions = Values<typeof OPTIONS>;

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

async function init(options: InitOptions): Promise<number> {
  const folder = resolve(options.dir ?? '.');
  const project = inspectFolder(folder, options['src-dir']);
  const questions = options.yes ? answerFromOptions(options) : await askOnTerminal();
  const { access, connection } = await connect(options, folder, questions);
  const content = await inspectContent(options, connection, questions);
  const decided = await decide(options, { folder, project, content, access }, questions);

  const { files, kept, manual, planned } = decided;
  const paths = files.map(({ path }) => path);
  if (files.length > 0 && !(await questions.write(paths))) throw new Cancelled();
  writeFiles(folder, files);

  for (const warning of decided.warnings) warn(warning);
  reportFiles(planned, files, kept);
  reportGit(folder, files, decided.envInGit);
  for (const change of manual) showManualChange(change);
  warnOfOverrides(access);
  reportNext(options.dir, project, decided.spaceFile, files);
  if (options.json) {
    const { models, evidence, assetsUrl } = content.inferred;
    const inferred = { models, evidence: Object.fromEntries(evidence), assetsUrl };
    printJson({ ...inferred, differences: decided.differences, written: paths, kept, manual });
  }
  const isIncomplete = kept.length > 0 || manual.length > 0 || decided.isPartial;
  return isIncomplete && options.yes ? 1 : 0;
}

/** URL and key as given, else from the environment and the project's `.env` files, else asked for. */
function connect(options: InitOptions, folder: string, questions: Questions) {
  const environment = readEnvironment(pathToFileURL(`${folder}/`), 'production');
  return findAccess({
    baseUrl: options['base-url'] ?? (environment.LUID_BASE_URL || undefined),
    apiKey: options['api-key'] ?? (environment.LUID_API_KEY || undefined),
    header: options.header,
    questions,
  });
}

interface InspectedContent {
  readonly survey: Survey;
  readonly inferred: Inferred;
  /** The collections that the content suggests. */
  readonly proposed: readonly Collection[];
}

async function inspectContent(
  options: InitOptions,
  connection: Connection,
  questions: Questions,
): Promise<InspectedContent> {
  const whole = await survey(async () => connection, {
    models: options.models,
    space: options['sub-space'],
    findSlugs: true,
    onStep: (step) => note(styled('dim', `… ${step}`)),
  });
  const names = whole.models.map(({ name }) => name);
  const seen = surveyOf(whole, options.models ?? (await questions.models(names)));
  const inferred = inferModels(seen.samples);
  return { survey: seen, inferred, proposed: planCollections(inferred, seen) };
}

interface Target {
  readonly folder: string;
  readonly project: ProjectFolder;
  readonly content: InspectedContent;
  readonly access: Access;
}

/** Plans all files and settles what exists already: first the space file, which decides about the others. */
async function decide(
  options: InitOptions,
  { folder, project, content, access }: Target,
  questions: Questions,
) {
  const { survey: seen, inferred, proposed } = content;
  const settings = { header: options.header, subSpace: options['sub-space'] };
  const space = planSpaceFile(folder, project, seen, inferred, settings);
  reportSurvey(seen, inferred, space.path);
  reportCollections(proposed);
  const first = await settle([space], questions);
  const declared = first.files.find(({ path }) => path === space.path)?.text ?? space.before ?? '';
  const { name, collections } = allowedBy(declared, proposed);

  const envInGit = gitStateOf(join(folder, '.env'));
  const context = { folder, project, survey: seen, inferred, collections, access, envInGit };
  const plan = planFiles({ ...context, space: { path: space.path, name } });
  if (plan.files.some(({ secret, state }) => secret && state !== 'same')) {
    checkNotTracked(join(folder, '.env'), envInGit);
  }
  const rest = await settle(plan.files, questions);
  return {
    spaceFile: space.path,
    differences: space.update?.differences ?? [],
    planned: [space, ...plan.files],
    files: [...first.files, ...rest.files],
    kept: [...first.kept, ...rest.kept],
    manual: [...plan.manual, ...rest.manual],
    warnings: plan.warnings,
    isPartial: first.isPartial,
    envInGit,
  };
}

function checkOptions(options: InitOptions): void {
  const strange = [...(options.models ?? []), options['sub-space'] ?? '_parent'].find(
    (luid) => !isLuid(luid),
  );
  if (strange !== undefined) throw new BadOption('init', `${JSON.stringify(strange)} is not a LUID`);
  if (options.yes || (process.stdin.isTTY && process.stderr.isTTY)) return;
  throw new BadOption('init', 'there is no terminal to ask on: pass --yes, --base-url and --api-key');
}

interface Settled {
  readonly files: FileToWrite[];
  /** Files that differ and stay as they are. */
  readonly kept: string[];
  readonly manual: ManualChange[];
  /** Something was added to a file that still differs. */
  readonly isPartial: boolean;
}

/** Decides about each file that exists and would change. */
async function settle(planned: readonly PlannedFile[], questions: Questions): Promise<Settled> {
  const files: FileToWrite[] = [];
  const kept: string[] = [];
  const manual: ManualChange[] = [];
  let isPartial = false;
  for (const file of planned) {
    if (file.state === 'new') files.push(file);
    if (file.state === 'added to') {
      if (file.manual) showDifference(file);
      if (!file.manual || (await questions.edit(file))) files.push(file);
      else manual.push(file.manual);
    }
    if (file.state !== 'different') continue;
    showDifference(file);
    const choice = await questions.replace(file);
    if (choice === 'keep') kept.push(file.path);
    else if (choice === 'beside') files.push({ ...file, path: besideOf(file.path) });
    else if (choice === 'replace') files.push(file);
    else {
      files.push({ ...file, text: file.update?.text ?? file.text });
      isPartial ||= file.update?.differences.some(({ kind }) => kind !== 'added') ?? false;
    }
  }
  return { files, kept, manual, isPartial };
}
