import type { Connect } from '../../client/http/connection.ts';
import type { WireContent } from '../../contract/content.ts';
import { LuidContentError } from '../../errors.ts';
import { STRING_IDS } from '../../space/replica-options.ts';
import type { Samples } from '../infer/infer.ts';
import { type Discovery, discover } from './discover-models.ts';
import { findLanguages, type Languages } from './find-languages.ts';
import { findSlug } from './find-slug.ts';
import { findTargets } from './find-targets.ts';
import { prove } from './probe-operators.ts';
import { type ModelSample, sampleModel } from './sample-model.ts';
import { type Service, serviceOf } from './survey-client.ts';

export interface SurveyOptions {
  /** Only these models; else all that are found. */
  readonly models?: readonly string[] | undefined;
  /** Models without content are reported as such; else they are an error. */
  readonly allowEmpty?: boolean | undefined;
  readonly space?: string | undefined;
  /** Look for fields that can name entries, which may take a request per 100 items. */
  readonly findSlugs?: boolean | undefined;
  /** Told what is being done, in a few words. */
  readonly onStep?: ((step: string) => void) | undefined;
}

/** What was found out about a space by looking at its content, for there is no endpoint that says it. */
export interface Survey {
  readonly discovery: Discovery;
  readonly models: readonly SurveyedModel[];
  readonly languages: Languages | undefined;
  readonly samples: Samples;
}

export interface SurveyedModel {
  readonly name: string;
  /** Items that there are, and that were looked at. */
  readonly total: number;
  readonly looked: number;
  /** Sub-languages that some of its items have. */
  readonly langs: readonly string[];
  /** A field that is unique and safe in a URL, in every language, where one was looked for. */
  readonly slug: string | undefined;
}

export async function survey(connect: Connect, options: SurveyOptions = {}): Promise<Survey> {
  const { onStep = () => {}, space } = options;
  const service = serviceOf(connect, {
    space,
    onLongWait: () => onStep('waiting before the next request (rate limit, or the service does not respond)'),
    onFirstStringIds: () => onStep(STRING_IDS),
  });

  onStep('finding the models');
  const discovery = await discover(service);
  if (discovery.total === 0) throw nothingToSee(space);

  const models: SurveyedModel[] = [];
  const items: WireContent[] = [];
  let languages: Languages | undefined;
  let targets: ReadonlyMap<number, string> = discovery.modelOf;
  let names = options.models ?? discovery.models;
  while (names.length > 0) {
    onStep(`looking at ${names.join(', ')}`);
    const sampled = await Promise.all(names.map((name) => sampleModel(service, name)));
    const missing = names.filter((_, index) => sampled[index]?.total === 0);
    if (missing.length > 0 && !options.allowEmpty) throw unknownModels(missing, discovery.models);
    languages ??= await findLanguages(
      service,
      sampled.map((sample) => sample.items),
    );
    const found = await Promise.all(
      sampled.map((main, index) => surveyModel(service, names[index] ?? '', main, languages, options)),
    );
    models.push(...found.map(({ model }) => model));
    items.push(...found.flatMap((one) => one.items));

    onStep('following the references');
    targets = await findTargets(service, items, targets);
    // A model that the look over all content missed shows where something points to it.
    const known = new Set(models.map(({ name }) => name));
    const missed = [...new Set(targets.values())].filter((name) => !known.has(name)).sort();
    names = options.models ? [] : missed;
  }

  onStep('telling texts apart');
  const proofs = await prove(service, items);
  return { discovery, models: sortedByName(models), languages, samples: { items, targets, proofs } };
}

/** One model in every language that it has. */
async function surveyModel(
  service: Service,
  name: string,
  main: ModelSample,
  languages: Languages | undefined,
  { findSlugs = false }: SurveyOptions,
): Promise<{ model: SurveyedModel; items: WireContent[] }> {
  const translated = await Promise.all(
    (languages?.sub ?? []).map(async (lang) => ({ ...(await sampleModel(service, name, lang)), lang })),
  );
  const samples = [{ ...main, lang: undefined }, ...translated.filter(({ total }) => total > 0)];
  return {
    model: {
      name,
      total: main.total,
      looked: main.items.length,
      langs: samples.flatMap(({ lang }) => lang ?? []),
      slug: findSlugs ? await findSlug(service, name, samples) : undefined,
    },
    items: samples.flatMap(({ items }) => items),
  };
}

/** The same survey of some of its models. */
export function surveyOf(survey: Survey, names: readonly string[]): Survey {
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

function nothingToSee(space: string | undefined): LuidContentError {
  return new LuidContentError(
    `This key sees no content${space === undefined ? '' : ` in the space ${space}`}`,
    {
      hint: 'A key may be for published content only, or for other spaces: publish something, or take another key.',
    },
  );
}

function unknownModels(missing: readonly string[], found: readonly string[]): LuidContentError {
  return new LuidContentError(`There is no content of ${missing.join(' and ')} that this key sees`, {
    model: missing[0],
    hint: `Found: ${found.join(', ')}. A model shows itself by its content alone, so it needs one item.`,
  });
}
