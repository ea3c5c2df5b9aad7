import type { Connect } from '../../client/http/connection.ts';
import type { WireContent } from '../../contract/content.ts';
import { LuidContentError } from '../../shared/errors.ts';
import { pluralize } from '../../shared/format-count.ts';
import { STRING_IDS } from '../../space/replica-options.ts';
import type { Samples } from '../infer/infer.ts';
import { type Discovery, discoverInLanguages, discoverModels } from './discover-models.ts';
import { findLanguages, type Languages } from './find-languages.ts';
import { findSlug } from './find-slug.ts';
import { findReferenceTargets } from './find-targets.ts';
import { probeOperators } from './probe-operators.ts';
import { sampleModel } from './sample-model.ts';
import { createSurveyClient, type SurveyClient } from './survey-client.ts';

export interface SurveyOptions {
  /** Only these models. Default: all that are found. */
  readonly models?: readonly string[] | undefined;
  /** Accept models without content. Default: they are an error. */
  readonly allowEmpty?: boolean | undefined;
  readonly space?: string | undefined;
  /** Look for fields whose values can be entry ids, which may take a request per 100 items. */
  readonly findSlugs?: boolean | undefined;
  /** Called with a short description of each step. */
  readonly onStep?: ((step: string) => void) | undefined;
}

/** What the content reveals about a space: the service has no endpoint that describes its models. */
export interface Survey {
  readonly discovery: Discovery;
  readonly models: readonly SurveyedModel[];
  readonly languages: Languages | undefined;
  /** What was found and is not inspected, for people; `undefined` if everything is. */
  readonly notInspected: string | undefined;
  readonly samples: Samples;
}

/** More than a space has. Without a limit, a service whose items refer to ever new models would never be done. */
const MAX_MODELS = 500;
/** Not counting the main language. */
const MAX_SUB_LANGUAGES = 100;

export interface SurveyedModel {
  readonly name: string;
  /**
   * Number of items, and how many of them were inspected: in the main language, or in the sub-language with most items
   * if it has none there.
   */
  readonly total: number;
  readonly inspected: number;
  /** Sub-languages in which it has items. */
  readonly langs: readonly string[];
  /** A field whose values can be entry ids, if `findSlugs` was set and there is one. */
  readonly slug: string | undefined;
}

export async function survey(connect: Connect, options: SurveyOptions = {}): Promise<Survey> {
  const { onStep = () => {}, space } = options;
  const client = createSurveyClient(connect, {
    space,
    onLongWait: () => onStep('waiting before the next request (rate limit, or the service does not respond)'),
    onFirstStringIds: () => onStep(STRING_IDS),
  });

  onStep('finding the models');
  const listed = await discoverModels(client);
  if (listed.total === 0) throw noContent(space);
  const found = await findLanguages(client, listed, options.models);
  const sub = found?.sub.slice(0, MAX_SUB_LANGUAGES) ?? [];
  const languages = found && { ...found, sub };
  const discovery = await discoverInLanguages(client, listed, sub);

  const models: SurveyedModel[] = [];
  const items: WireContent[] = [];
  let targets = discovery.modelOf;
  let omittedModels = 0;
  let names = options.models ?? discovery.models.slice(0, MAX_MODELS);
  while (names.length > 0) {
    onStep(`inspecting ${names.join(', ')}`);
    const surveyed = await Promise.all(names.map((name) => surveyModel(client, name, sub, options)));
    const missing = surveyed.flatMap(({ model: { name, total } }) => (total === 0 ? name : []));
    if (missing.length > 0 && !options.allowEmpty) throw emptyModels(missing, discovery.models);
    models.push(...surveyed.map(({ model }) => model));
    items.push(...surveyed.flatMap((one) => one.items));

    onStep('resolving references');
    targets = await findReferenceTargets(client, items, targets);
    // References can reveal models that the listing missed.
    const known = new Set(models.map(({ name }) => name));
    const missed = [...new Set(targets.values())].filter((name) => !known.has(name)).sort();
    if (options.models) break;
    names = missed.slice(0, MAX_MODELS - models.length);
    omittedModels = missed.length - names.length;
  }
  const omittedLanguages = (found?.sub.length ?? 0) - sub.length;
  const omitted = [
    ...(omittedModels > 0 ? [`${pluralize(omittedModels, 'model')} (limit: ${MAX_MODELS})`] : []),
    ...(omittedLanguages > 0
      ? [`${pluralize(omittedLanguages, 'language')} (limit: ${MAX_SUB_LANGUAGES})`]
      : []),
  ];
  const notInspected = omitted.length > 0 ? `Not inspected: ${omitted.join(' and ')}.` : undefined;

  onStep('detecting the types of string fields');
  const operatorSupport = await probeOperators(client, items);
  const samples = { items, targets, operatorSupport };
  return { discovery, models: sortedByName(models), languages, notInspected, samples };
}

/** Samples one model in each of its languages. */
async function surveyModel(
  client: SurveyClient,
  name: string,
  subLanguages: readonly string[],
  { findSlugs = false }: SurveyOptions,
): Promise<{ model: SurveyedModel; items: WireContent[] }> {
  const all = await Promise.all(
    [undefined, ...subLanguages].map(async (lang) => ({ ...(await sampleModel(client, name, lang)), lang })),
  );
  const samples = all.filter(({ total }) => total > 0);
  const [main] = samples;
  const [largest] = samples.toSorted((a, b) => b.total - a.total);
  const counted = main?.lang === undefined ? main : largest;
  return {
    model: {
      name,
      total: counted?.total ?? 0,
      inspected: counted?.items.length ?? 0,
      langs: samples.flatMap(({ lang }) => lang ?? []),
      slug: findSlugs ? await findSlug(client, name, samples) : undefined,
    },
    items: samples.flatMap(({ items }) => items),
  };
}

/** The survey restricted to some models. */
export function selectModels(survey: Survey, names: readonly string[]): Survey {
  return {
    ...survey,
    models: survey.models.filter(({ name }) => names.includes(name)),
    samples: {
      ...survey.samples,
      items: survey.samples.items.filter(({ _model }) => names.includes(_model)),
    },
  };
}

function sortedByName(models: readonly SurveyedModel[]): SurveyedModel[] {
  return models.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function noContent(space: string | undefined): LuidContentError {
  return new LuidContentError(
    `No content visible to this key${space === undefined ? '' : ` in the space ${space}`}`,
    {
      hint: 'A key may be limited to published content or to other spaces: publish something, or use another key.',
    },
  );
}

function emptyModels(missing: readonly string[], found: readonly string[]): LuidContentError {
  return new LuidContentError(`No content of ${missing.join(' and ')} visible to this key`, {
    model: missing[0],
    hint: `Found: ${found.join(', ')}. A model is only found if it has at least one item.`,
  });
}
