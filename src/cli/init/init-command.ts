import { join, resolve } from 'node:path';
import type { Connection } from '../../client/http/connection.ts';
import { isLuid } from '../../contract/luid.ts';
import { parseServiceName, SERVICE_NAMES } from '../../contract/services.ts';
import { readEnvironment } from '../../space/environment/env-files.ts';
import { inferModels } from '../infer/infer.ts';
import { defineCommand, UsageError, type Values } from '../shared/command.ts';
import { exitOnSignals } from '../shared/exit-on-signals.ts';
import { dirOption } from '../shared/load-space.ts';
import { apiKeyHeader, flag, list, type Option, oneOf, text } from '../shared/option-kinds.ts';
import { logInfo, logWarning, printJson, styled } from '../shared/output.ts';
import { type Survey, selectModels, survey } from '../survey/survey.ts';
import { connectToService } from './connect.ts';
import { gitState, refuseTracked } from './env/git.ts';
import { findEnvOverrides } from './env/space-variables.ts';
import { inspectProject, isInside } from './inspect-project.ts';
import { planFiles } from './plan/plan-files.ts';
import { planSpaceFile } from './plan/plan-space-file.ts';
import { type Decisions, resolveConflicts } from './plan/resolve-conflicts.ts';
import { printCollections, printManualChange, printSurvey } from './print/print-findings.ts';
import {
  printNextSteps,
  printPageSnippet,
  printWrittenFiles,
  warnAboutOverrides,
  warnIfNotIgnored,
} from './print/print-result.ts';
import { answerWithDefaults, CancelledError, type Prompts, terminalPrompts } from './prompts.ts';
import { createPageSnippet } from './site/site-files.ts';
import { collectionsOfSpace, proposeCollections } from './space-file/collections.ts';
import { writeFiles } from './write-files.ts';

const folderInside: Option<string> = {
  argument: 'DIR',
  about: "Astro's srcDir (default: from astro.config, else src)",
  expected: 'a folder inside the project, such as src',
  parse: (value) => (value && isInside(value) ? value : undefined),
};

const OPTIONS = {
  service: oneOf('NAME', `the service: ${SERVICE_NAMES.join(', ')} (default: LUID_SERVICE)`, SERVICE_NAMES),
  'base-url': text(
    'URL',
    'its URL, including the version segment (default: LUID_BASE_URL, then that of --service)',
    'a URL such as https://…/v1',
  ),
  'api-key': text('KEY', '(default: LUID_API_KEY)', 'an API key'),
  dir: dirOption,
  'src-dir': folderInside,
  models: list('a,b', 'only these models (default: all)', 'model LUIDs such as article,author'),
  'sub-space': text('LUID', 'only this sub-space', 'the LUID of a space'),
  header: apiKeyHeader,
  yes: flag('no prompts: add what is missing, keep files that differ (exit code 1)'),
  force: flag('with --yes: replace files that differ'),
  json: flag('print the models, the evidence for each field, and the files as JSON'),
};
type InitOptions = Values<typeof OPTIONS>;

const ABOUT = `set up a typed site from a service and an API key

Infers the models from the content (the service has no endpoint that describes them) and writes src/space.ts,
src/content.config.ts and the variables in .env. In an empty folder it also creates a small site. In an existing
site it extends content.config.* and astro.config.*, and shows each change first.`;

const NOTES = `Each field has its evidence in a comment, such as "48 of 50, 3 values". Where the content is ambiguous it says
"uncertain"; a field that is always empty becomes field.unknown(). Nothing is written before you confirm, and
either all files are written or none. Run it again when the models change: it lists the differences by field, and
can add only what is new.

  npx astro-luid init
  npx astro-luid init --service nilto
  npx astro-luid init --yes --base-url https://…/v1 --api-key KEY --dir my-site
  npx astro-luid init --models article,author`;

/** `prompts` replaces those of the terminal, and those of `--yes`. */
export const initCommand = defineCommand(
  { name: 'init', about: ABOUT, options: OPTIONS, notes: NOTES },
  async (options, prompts?: Prompts) => {
    checkOptions(options);
    const removeSignalHandlers = exitOnSignals(async () => {});
    try {
      return await init(options, prompts);
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error;
      logInfo('Nothing was written.');
      return 130;
    } finally {
      removeSignalHandlers();
    }
  },
);

function checkOptions(options: InitOptions): void {
  const luids = [...(options.models ?? []), options['sub-space'] ?? '_parent'];
  const invalid = luids.find((luid) => !isLuid(luid));
  if (invalid !== undefined) throw new UsageError('init', `${JSON.stringify(invalid)} is not a LUID`);
  if (options.yes || (process.stdin.isTTY && process.stderr.isTTY)) return;
  throw new UsageError('init', 'no terminal for prompts: pass --yes, --service or --base-url, and --api-key');
}

async function init(options: InitOptions, given?: Prompts): Promise<number> {
  const project = inspectProject(resolve(options.dir ?? '.'), options['src-dir']);
  const { folder } = project;
  const prompts = given ?? (options.yes ? answerWithDefaults(options) : await terminalPrompts());
  const environment = await readEnvironment({ root: folder, mode: 'production' });
  const service = environment.LUID_SERVICE ? parseServiceName(environment.LUID_SERVICE) : undefined;
  // From the options, else from the environment and the project's `.env` files, else from prompts.
  const { credentials, connection } = await connectToService({
    service: options.service ?? service,
    baseUrl: options['base-url'] ?? (options.service ? undefined : environment.LUID_BASE_URL || undefined),
    apiKey: options['api-key'] ?? (environment.LUID_API_KEY || undefined),
    header: options.header ?? (options.service ? undefined : environment.LUID_API_KEY_HEADER || undefined),
    prompts,
  });
  const found = await inspectContent(options, connection, prompts);
  const inferred = inferModels(found.samples);
  const proposed = proposeCollections(inferred, found);

  // The space file first: the others depend on what it declares.
  const settings = { header: options.header, subSpace: options['sub-space'] };
  const space = planSpaceFile(project, found, inferred, settings);
  printSurvey(found, inferred, space.path);
  printCollections(proposed);
  const decisions: Decisions = { files: [], kept: [], manual: [], isPartial: false };
  await resolveConflicts(folder, [space], prompts, decisions);
  const { name, collections } = collectionsOfSpace(
    decisions.files.find(({ path }) => path === space.path)?.text ?? space.before ?? '',
    proposed,
  );

  const env = join(folder, '.env');
  const envInGit = gitState(env);
  const warnings: string[] = [];
  const content = { survey: found, inferred, collections, space: { path: space.path, name } };
  const planned = planFiles({ project, ...content, credentials, environment, envInGit, warnings });
  if (planned.some(({ secret, state }) => secret && state !== 'same')) refuseTracked(env, envInGit);
  await resolveConflicts(folder, planned, prompts, decisions);

  const { files, kept, manual } = decisions;
  const written = files.map(({ path }) => path);
  if (files.length > 0 && !(await prompts.write(written))) throw new CancelledError();
  writeFiles(folder, files);

  for (const warning of warnings) logWarning(warning);
  printWrittenFiles(decisions);
  warnIfNotIgnored(folder, files, envInGit);
  for (const change of manual) printManualChange(change);
  const { models, evidence, assetsUrl } = inferred;
  warnAboutOverrides(await findEnvOverrides(folder, { ...credentials, assetsUrl }));
  printNextSteps(options.dir, project, space.path, files);
  const hasNewCollections = files.some(({ path }) => /\bcontent\.config\.\w+$/.test(path));
  const page = createPageSnippet(inferred, found, collections, project.srcDir);
  if (!project.isNew && hasNewCollections && page) printPageSnippet(page);
  if (options.json) {
    const differences = space.update?.differences ?? [];
    const shown = { models, evidence: Object.fromEntries(evidence), assetsUrl };
    printJson({ ...shown, differences, written, kept, manual });
  }
  const isIncomplete = kept.length > 0 || manual.length > 0 || decisions.isPartial;
  return isIncomplete && options.yes ? 1 : 0;
}

/** Surveys the content of the models that the user chooses. */
async function inspectContent(
  options: InitOptions,
  connection: Connection,
  prompts: Prompts,
): Promise<Survey> {
  const all = await survey(async () => connection, {
    models: options.models,
    space: options['sub-space'],
    findSlugs: true,
    onStep: (step) => logInfo(styled('dim', `… ${step}`)),
  });
  const names = all.models.map(({ name }) => name);
  return selectModels(all, options.models ?? (await prompts.models(names)));
}
