import { resolve } from 'node:path';
import type { WireContent } from '../../contract/content.ts';
import type { SpaceCore } from '../../space/space.ts';
import { inferModels } from '../infer/infer.ts';
import { flag, parseOptions } from '../shared/command-options.ts';
import { endOnSignals } from '../shared/exit-on-signals.ts';
import { loadSpace, SPACE_HELP, SPACE_OPTIONS } from '../shared/load-space.ts';
import { note, print, printJson, styled } from '../shared/output.ts';
import { survey } from '../survey/survey.ts';
import { type Report, reportOf, showReport } from './check-report.ts';
import { type Comparison, compareWith } from './compare-content.ts';
import { compareLanguages, emptyModels } from './compare-space.ts';
import { compareKinds } from './kinds.ts';

const HELP = `luid check: does the declared map still describe the content?

Reports what the key may read, and compares the models and languages of src/space.ts with the content: fields that
are missing, extra, of another type, required but empty, options that are not declared, models without content,
and another main language.

${SPACE_HELP}
  --drafts              with the key for drafts, LUID_DRAFT_API_KEY
  --all                 compare every item (default: the newest and oldest 100 of each model and language)
  --json                the whole report on stdout, for CI

Exit code 1 if anything differs, 0 if not. A model that is not declared is reported, but is not a difference.

  luid check
  luid check --all --json > report.json
`;

const OPTIONS = { ...SPACE_OPTIONS, drafts: flag, all: flag, json: flag };

export async function checkCommand(args: string[]): Promise<number> {
  const options = parseOptions('check', OPTIONS, args);
  if (options.help) {
    print(HELP);
    return 0;
  }
  const release = endOnSignals(async () => {}, { SIGINT: 130, SIGTERM: 143 });
  try {
    const request = { dir: resolve(options.dir ?? '.'), file: options.space, name: options.export };
    const { space } = await loadSpace(request);
    const report = await check(space, options);
    if (options.json) printJson(report);
    else showReport(report);
    return report.ok ? 0 : 1;
  } finally {
    release();
  }
}

async function check(space: SpaceCore, { drafts, all }: { drafts: boolean; all: boolean }): Promise<Report> {
  const onStep = (step: string) => note(styled('dim', `… ${step}`));
  const models = Object.keys(space.models);
  const surveyed = await survey(space.connect({ drafts }), {
    models,
    space: space.settings.space,
    allowEmpty: true,
    onStep,
  });
  const comparison = compareWith(space.models, surveyed.samples.targets);
  for (const item of surveyed.samples.items) comparison.add(item);
  if (all) {
    onStep('comparing every item');
    await compareAll(space, drafts, surveyed.languages?.sub ?? [], comparison);
  }
  const drift = [
    ...compareLanguages(space.settings.languages, surveyed.languages),
    ...emptyModels(surveyed.models),
    ...comparison.result(),
    ...compareKinds(space.models, inferModels(surveyed.samples)),
  ];
  return reportOf(surveyed, models, drift, all);
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
