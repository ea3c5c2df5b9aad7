import type { Settings } from '../../space/space-options.ts';
import type { Survey } from '../survey/survey.ts';
import type { MismatchLog } from './mismatch-log.ts';

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
