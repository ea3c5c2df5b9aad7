import { pluralize } from '../../shared/format-count.ts';

/** More than a space has. Without a limit, a service whose items refer to ever new models would never be done. */
export const MAX_MODELS = 500;
/** Not counting the main language. */
export const MAX_SUB_LANGUAGES = 100;

/** How many of the models and languages that were found are not inspected. */
export interface Omitted {
  readonly models: number;
  readonly languages: number;
}

/** A line for the user; `undefined` if everything is inspected. */
export function describeOmitted({ models, languages }: Omitted): string | undefined {
  const counts = [
    ...(models > 0 ? [`${pluralize(models, 'model')} (limit: ${MAX_MODELS})`] : []),
    ...(languages > 0 ? [`${pluralize(languages, 'language')} (limit: ${MAX_SUB_LANGUAGES})`] : []),
  ];
  return counts.length > 0 ? `Not inspected: ${counts.join(' and ')}.` : undefined;
}
