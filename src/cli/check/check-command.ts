import type { WireContent } from '../../contract/content.ts';
import type { SpaceCore } from '../../space/space.ts';
import type { Settings } from '../../space/space-options.ts';
import { inferModels } from '../infer/infer.ts';
import { defineCommand } from '../shared/command.ts';
import { exitOnSignals } from '../shared/exit-on-signals.ts';
import { loadSpace, SPACE_OPTIONS } from '../shared/load-space.ts';
import { flag } from '../shared/option-kinds.ts';
import { logInfo, logWarning, printJson, styled } from '../shared/output.ts';
import { type Survey, survey } from '../survey/survey.ts';
import { type CheckReport, createReport, printReport } from './check-report.ts';
import { type Comparison, compareContent } from './compare-content.ts';
import { compareStringTypes } from './compare-string-types.ts';
import { MismatchLog } from './mismatch-log.ts';

const OPTIONS = {
  ...SPACE_OPTIONS,
  drafts: flag('use the draft key, LUID_DRAFT_API_KEY'),
  all: flag('compare every item (default: the newest and oldest 100 per model and language)'),
  json: flag('print the full report as JSON'),
};

const ABOUT = `compare the declared models with the content

Reports what the API key can read, and compares the models and languages in src/space.ts with the content. Finds
missing and undeclared fields, wrong types, empty required fields, undeclared options, models without content
and a wrong main language.`;

const NOTES = `Exit code 1 if there is a mismatch, else 0. Undeclared models are reported, but are not a mismatch.

  luid check
  luid check --all --json > report.json`;

export const checkCommand = defineCommand(
  { name: 'check', about: ABOUT, options: OPTIONS, notes: NOTES },
  async (options) => {
    const removeSignalHandlers = exitOnSignals(async () => {});
    try {
      const { space } = await loadSpace(options);
      const report = await check(space, options);
      if (options.json) printJson(report);
      else printReport(report);
      return report.ok ? 0 : 1;
    } finally {
      removeSignalHandlers();
    }
  },
);

async function check(
  space: SpaceCore,
  { drafts, all }: { drafts: boolean; all: boolean },
): Promise<CheckReport> {
  const onStep = (step: string) => logInfo(styled('dim', `… ${step}`));
  const models = Object.keys(space.models);
  const found = await survey(space.connect({ drafts }), {
    models,
    space: space.settings.space,
    allowEmpty: true,
    onStep,
  });
  if (found.notInspected) logWarning(found.notInspected);
  const log = new MismatchLog();
  compareSpace(log, space.settings.languages, found);
  const comparison = compareContent(log, space.models, found.samples.targets);
  for (const item of found.samples.items) comparison.add(item);
  if (all) {
    onStep('comparing every item');
    await compareAll(space, drafts, found.languages?.sub ?? [], comparison);
  }
  comparison.end();
  compareStringTypes(log, space.models, inferModels(found.samples));
  return createReport(found, models, log.all, all);
}

async function compareAll(
  space: SpaceCore,
  drafts: boolean,
  subLanguages: readonly string[],
  comparison: Comparison,
): Promise<void> {
  const { contents } = space.client({ drafts });
  for (const lang of [undefined, ...subLanguages]) {
    const query = {
      depth: 0,
      ...(lang && { lang }),
      ...(space.settings.space && { space: space.settings.space }),
    };
    for await (const item of contents.iterate(Object.keys(space.models), query as never)) {
      comparison.add(item as unknown as WireContent);
    }
  }
}

/** Finds a wrong main language, which would load entries in the wrong language, and models without any content. */
export function compareSpace(
  log: MismatchLog,
  declared: Settings['languages'],
  { languages: found, models }: Pick<Survey, 'languages' | 'models'>,
): void {
  if (declared && found && declared.main !== found.main) {
    const message = `declared as ${JSON.stringify(declared.main)}, but the main language is ${JSON.stringify(found.main)}`;
    log.add('', 'languages.main', 'language', message);
  }
  for (const { name, total } of models) {
    if (total === 0) log.add(name, '', 'missing', 'no content visible to this key: check the LUID');
  }
}
