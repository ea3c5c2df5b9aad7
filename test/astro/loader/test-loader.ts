import {
  type Assumptions,
  type RunningEmulator,
  type Seed,
  startEmulator,
} from '../../../src/emulator/index.ts';
import { defineSpace } from '../../../src/index.ts';
import { createLoaderContext } from '../../security/loader-context.ts';

type Models = Parameters<typeof defineSpace>[0]['models'];

export interface LoadOptions {
  readonly models: object;
  /** Of the loader. */
  readonly loader?: object;
  /** Of the space. */
  readonly space?: object;
  readonly apiKey?: string;
  readonly draftApiKey?: string;
}

/** Loads a model into a store of Astro's as a build would; a second call is a build in a new process. */
export function createTestLoader(service: RunningEmulator) {
  const { context, lines, entries } = createLoaderContext();
  return {
    context,
    entries: () => entries().map(({ id }) => id),
    data: (id: string) => entries().find((entry) => entry.id === id)?.data,
    /** Gives what was logged. */
    async load(model: string, { models, loader = {}, space = {}, ...keys }: LoadOptions): Promise<string[]> {
      lines.length = 0;
      const defined = defineSpace({
        baseUrl: service.baseUrl,
        apiKey: 'published-key',
        network: { retries: 0 },
        ...keys,
        ...space,
        models: models as Models,
      });
      await defined.loader(model, loader).load(context);
      return [...lines];
    },
  };
}

/** A service of these models and contents, each published, in its main language unless it says otherwise. */
export function startService(
  models: object,
  contents: readonly ({ id: number; model: string } & Record<string, unknown>)[],
  assumptions: Partial<Assumptions> = {},
): Promise<RunningEmulator> {
  const seed = {
    languages: { main: 'ja', sub: ['en'] },
    keys: [
      { key: 'published-key', reads: 'published' },
      { key: 'draft-key', reads: 'drafts' },
    ],
    models,
    media: [],
    contents: contents.map(({ id, model, published, draft, ...values }) => ({
      id,
      model,
      created_at: new Date(Date.UTC(2026, 0, 1) + id * 1000).toISOString(),
      ...(published || !draft ? { published: published ?? { ja: values } } : {}),
      ...(draft ? { draft } : {}),
    })),
  };
  return startEmulator(seed as unknown as Seed, { rateLimit: false, assumptions });
}
