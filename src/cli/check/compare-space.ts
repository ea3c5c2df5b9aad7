import type { Settings } from '../../space/space-options.ts';
import type { Languages } from '../survey/find-languages.ts';
import type { SurveyedModel } from '../survey/survey.ts';
import { type Mismatch, MismatchLog } from './mismatch-log.ts';

/** A wrong main language would load entries in the wrong language. */
export function compareLanguages(declared: Settings['languages'], found: Languages | undefined): Mismatch[] {
  const log = new MismatchLog();
  if (declared && found && declared.main !== found.main) {
    const message = `declared as ${JSON.stringify(declared.main)}, but the main language is ${JSON.stringify(found.main)}`;
    log.add('', 'languages.main', 'language', message);
  }
  return log.all;
}

/** Declared models without content in any language. */
export function findEmptyModels(models: readonly SurveyedModel[]): Mismatch[] {
  const log = new MismatchLog();
  for (const { name, total } of models) {
    if (total === 0) log.add(name, '', 'missing', 'no content visible to this key: check the LUID');
  }
  return log.all;
}
