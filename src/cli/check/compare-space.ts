import type { Settings } from '../../space/space-options.ts';
import type { Languages } from '../survey/find-languages.ts';
import type { SurveyedModel } from '../survey/survey.ts';
import { type Drift, DriftLog } from './mismatch-log.ts';

/** A main language that the space does not have: entries of one language would hold data of another. */
export function compareLanguages(declared: Settings['languages'], found: Languages | undefined): Drift[] {
  const log = new DriftLog();
  if (declared && found && declared.main !== found.main) {
    const message = `declared as ${JSON.stringify(declared.main)}, but the main language is ${JSON.stringify(found.main)}`;
    log.add('', 'languages.main', 'language', message);
  }
  return log.all;
}

/** Declared models of which there is no content. */
export function emptyModels(models: readonly SurveyedModel[]): Drift[] {
  const log = new DriftLog();
  for (const { name, total } of models) {
    if (total === 0) log.add(name, '', 'missing', 'no content that this key can see: is the LUID right?');
  }
  return log.all;
}
