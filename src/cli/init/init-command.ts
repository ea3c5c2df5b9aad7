import { join, resolve } from 'node:path';
import type { Connection } from '../../client/http/connection.ts';
import { isLuid } from '../../contract/luid.ts';
import { type Environment, readEnvironment } from '../../space/env-files.ts';
import { type Inferred, inferModels } from '../infer/infer.ts';
import {
  flag,
  headerName,
  list,
  nonEmpty,
  type Option,
  parseOptions,
  UsageError,
  type Values,
} from '../shared/command-options.ts';
import { exitOnSignals } from '../shared/exit-on-signals.ts';
import { logInfo, logWarning, print, printJson, styled } from '../shared/output.ts';
import { type Survey, selectModels, survey } from '../survey/survey.ts';
import { type Collection, collectionsOfSpace, proposeCollections } from './collections.ts';
import { type Credentials, connectToService } from './connect.ts';
import { findEnvOverrides } from './env-overrides.ts';
import { gitState, refuseTracked } from './git.ts';
import { inspectProject, isInside, type ProjectFolder } from './inspect-project.ts';
import { planCopy, planFiles, planSpaceFile } from './plan-files.ts';
import type { ManualChange, PlannedFile } from './planned-file.ts';
import { printChange, printCollections, printManualChange, printSurvey } from './print-findings.ts';
import { printNextSteps, printWrittenFiles, warnAboutOverrides, warnIfNotIgnored } from './print-result.ts';
import {
  answerWithDefaults,
  CancelledError,
  type Prompts,
  pathForNewCopy,
  terminalPrompts,
} from './prompts.ts';
import { type FileToWrite, writeFiles } from './write-files.ts';

const HELP = `luid init: set up a typed site from a URL and an API key

Infers the models from the content (the service has no endpoint that describes them) and writes src/space.ts,
src/content.config.ts and the variables in .env. In an empty folder it also creates a small site. In an existing
site it extends content.config.* and astro.config.*, and shows each change first.

  --base-url URL        the service, including the version segment (default: LUID_BASE_URL)
  --api-key KEY         (default: LUID_API_KEY)
  --dir DIR             the project folder (default: the current one)
  --src-dir DIR         Astro's srcDir (default: from astro.config, else src)
  --models a,b          only these models (default: all)
  --sub-space LUID      only this sub-space
  --header NAME         the API key header (default: X-SERVICE-API-KEY)
  --yes                 no prompts: add what is missing, keep files that differ (exit code 1)
  --force               with --yes: replace files that differ
  --json                print the models, the evidence for each field, and the files as JSON

Each field has its evidence in a comment, such as "48 of 50, 3 values". Where the content is ambiguous it says
"uncertain"; a field that is always empty becomes field.unknown(). Nothing is written before you confirm, and
either all files are written or none. Run it again when the models change: it lists the differences by field, and
can add only what is new.

  npx astro-luid init
  npx astro-luid init --yes --base-url https://…/v1 --api-key KEY --dir my-site
  npx astro-luid init --models article,author
`;

const folderInside: Option<string> = {
  type: 'string',
  expected: 'a folder inside the project, such as src',
  parse: (value) => (value && isInside(value) ? value : undefined),
};

const OPTIONS = {
  'base-url': nonEmpty('a URL such as https://…/v1'),
  'api-key': nonEmpty('an API key'),
  dir: nonEmpty('a folder'),
  'src-dir': folderInside,
  models: list('model LUIDs such as article,author'),
  'sub-space': nonEmpty('the LUID of a space'),
  header: headerName,
  yes: flag,
  force: flag,
  json: flag,
};
type InitOptions = Values<typeof OPTIONS>;

/** `prompts` replaces those of the terminal, and those of `--yes`. */
export async function initCommand(args: string[], prompts?: Prompts): Promise<number> {
  const options = parseOptions('init', OPTIONS, args);
  if (options.help) {
    print(HELP);
    return 0;
  }
  checkOptions(options);
  const removeSignalHandlers = exitOnSignals(async () => {}, { SIGINT: 130, SIGTERM: 143 });
  try {
    return await init(options, prompts);
  } catch (error) {
    if (!(error instanceof CancelledError)) throw error;
    logInfo('Nothing was written.');
    return 130;
  } finally {
    removeSignalHandlers();
  }
}

async function init(options: InitOptions, given?: Prompts): Promise<number> {
  const folder = resolve(options.dir ?? '.');
  const project = inspectProject(folder, options['src-dir']);
  const prompts = given ?? (options.yes ? answerWithDefaults(options) : await terminalPrompts());
  const environment = await readEnvironment({ root: folder, mode: 'production' });
  const { credentials, connection } = await connect(options, environment, prompts);
  const content = await inspectContent(options, connection, prompts);
  const resolved = await resolveFiles(
    options,
    { folder, project, content, credentials, environment },
    prompts,
  );

  const { files, kept, manual, planned } = resolved;
  const paths = files.map(({ path }) => path);
  if (files.length > 0 && !(await prompts.write(paths))) throw new CancelledError();
  writeFiles(folder, files);

  for (const warning of resolved.warnings) logWarning(warning);
  printWrittenFiles(planned, files, kept);
  warnIfNotIgnored(folder, files, resolved.envInGit);
  for (const change of manual) printManualChange(change);
  const { baseUrl, apiKey } = credentials;
  const { assetsUrl } = content.inferred;
  const variables = {
    LUID_BASE_URL: baseUrl,
    ...(assetsUrl !== undefined && { LUID_ASSETS_URL: assetsUrl }),
    LUID_API_KEY: apiKey,
  };
  warnAboutOverrides(await findEnvOverrides(folder, variables));
  printNextSteps(options.dir, project, resolved.spaceFile, files);
  if (options.json) {
    const { models, evidence } = content.inferred;
    const inferred = { models, evidence: Object.fromEntries(evidence), assetsUrl };
    printJson({ ...inferred, differences: resolved.differences, written: paths, kept, manual });
  }
  const isIncomplete = kept.length > 0 || manual.length > 0 || resolved.isPartial;
  return isIncomplete && options.yes ? 1 : 0;
}

/** URL and key from the options, else from the environment and the project's `.env` files, else from prompts. */
function connect(options: InitOptions, environment: Environment, prompts: Prompts) {
  return connectToService({
    baseUrl: options['base-url'] ?? (environment.LUID_BASE_URL || undefined),
    apiKey: options['api-key'] ?? (environment.LUID_API_KEY || undefined),
    header: options.header,
    prompts,
  });
}

interface InspectedContent {
  readonly survey: Survey;
  readonly inferred: Inferred;
  /** Collections proposed from the content. */
  readonly proposed: readonly Collection[];
}

async function inspectContent(
  options: InitOptions,
  connection: Connection,
  prompts: Prompts,
): Promise<InspectedContent> {
  const all = await survey(async () => connection, {
    models: options.models,
    space: options['sub-space'],
    findSlugs: true,
    onStep: (step) => logInfo(styled('dim', `… ${step}`)),
  });
  const names = all.models.map(({ name }) => name);
  const selected = selectModels(all, options.models ?? (await prompts.models(names)));
  const inferred = inferModels(selected.samples);
  return { survey: selected, inferred, proposed: proposeCollections(inferred, selected) };
}

interface Target {
  readonly folder: string;
  readonly project: ProjectFolder;
  readonly content: InspectedContent;
  readonly credentials: Credentials;
  readonly environment: Environment;
}

/** Plans all files and resolves conflicts: the space file first, because the others depend on what it declares. */
async function resolveFiles(
  options: InitOptions,
  { folder, project, content, credentials, environment }: Target,
  prompts: Prompts,
) {
  const { survey: surveyed, inferred, proposed } = content;
  const settings = { header: options.header, subSpace: options['sub-space'] };
  const space = planSpaceFile(folder, project, surveyed, inferred, settings);
  printSurvey(surveyed, inferred, space.path);
  printCollections(proposed);
  const first = await resolveConflicts(folder, [space], prompts);
  const declared = first.files.find(({ path }) => path === space.path)?.text ?? space.before ?? '';
  const { name, collections } = collectionsOfSpace(declared, proposed);

  const envInGit = gitState(join(folder, '.env'));
  const context = { folder, project, survey: surveyed, inferred, collections, credentials, environment };
  const plan = planFiles({ ...context, envInGit, space: { path: space.path, name } });
  if (plan.files.some(({ secret, state }) => secret && state !== 'same')) {
    refuseTracked(join(folder, '.env'), envInGit);
  }
  const rest = await resolveConflicts(folder, plan.files, prompts);
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
  const invalid = [...(options.models ?? []), options['sub-space'] ?? '_parent'].find(
    (luid) => !isLuid(luid),
  );
  if (invalid !== undefined) throw new UsageError('init', `${JSON.stringify(invalid)} is not a LUID`);
  if (options.yes || (process.stdin.isTTY && process.stderr.isTTY)) return;
  throw new UsageError('init', 'no terminal for prompts: pass --yes, --base-url and --api-key');
}

interface ResolvedFiles {
  readonly files: FileToWrite[];
  /** Files that differ and are kept. */
  readonly kept: string[];
  readonly manual: ManualChange[];
  /** A file was extended but still differs. */
  readonly isPartial: boolean;
}

/** Decides what to do with each existing file that would change. */
async function resolveConflicts(
  folder: string,
  planned: readonly PlannedFile[],
  prompts: Prompts,
): Promise<ResolvedFiles> {
  const files: FileToWrite[] = [];
  const kept: string[] = [];
  const manual: ManualChange[] = [];
  let isPartial = false;
  for (const file of planned) {
    if (file.state === 'new') files.push(file);
    if (file.state === 'added to') {
      if (file.manual) printChange(file);
      if (!file.manual || (await prompts.edit(file))) files.push(file);
      else manual.push(file.manual);
    }
    if (file.state !== 'different') continue;
    printChange(file);
    const choice = await prompts.replace(file);
    if (choice === 'keep') kept.push(file.path);
    else if (choice === 'copy') files.push(planCopy(folder, file, pathForNewCopy(file.path)));
    else if (choice === 'replace') files.push(file);
    else {
      files.push({ ...file, text: file.update?.text ?? file.text });
      isPartial ||= file.update?.differences.some(({ kind }) => kind !== 'added') ?? false;
    }
  }
  return { files, kept, manual, isPartial };
}
