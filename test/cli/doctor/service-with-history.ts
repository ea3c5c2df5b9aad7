import { createConnection } from '../../../src/client/http/connection.ts';
import {
  createEmulator,
  type Emulator,
  type EmulatorOptions,
  type RunningEmulator,
  startEmulator,
} from '../../../src/emulator/index.ts';
import { field } from '../../../src/index.ts';

export const SECRETS = {
  published: 'key-for-published-content',
  drafts: 'key-for-drafts',
  title: 'Confidential title',
  lead: 'Confidential lead',
  model: 'secret_model',
  fieldName: 'secret_field',
  space: 'secret_space',
  language: 'xx-secret',
};

const MINUTE_AND_MORE = 60_250;

interface ServiceOptions extends Pick<EmulatorOptions, 'assumptions' | 'cdn' | 'header'> {
  /** Items without references, drafts and history. */
  readonly fillers?: number;
}

export function serviceWithHistory({ fillers = 0, ...options }: ServiceOptions = {}): Emulator {
  return withHistory(createEmulator(seedOf(fillers), { ...options, rateLimit: false }));
}

/** The same, listening. */
export async function listeningService({
  fillers = 0,
  ...options
}: ServiceOptions = {}): Promise<RunningEmulator> {
  return withHistory(await startEmulator(seedOf(fillers), { ...options, rateLimit: false }));
}

function seedOf(fillers: number) {
  const { model, fieldName, space, language } = SECRETS;
  return {
    languages: { main: 'ja', sub: [language] },
    spaces: ['_parent', space],
    keys: [
      { key: SECRETS.published, reads: 'published' },
      { key: SECRETS.drafts, reads: 'drafts' },
    ],
    models: {
      [model]: {
        title: field.text({ title: true }),
        [fieldName]: field.text(),
        lead: field.multiline(),
        tags: field.multiSelect(['a', 'b']),
        cover: field.media(),
        author: field.reference('author'),
        starts_at: field.datetime(),
      },
      author: { name: field.text({ title: true }), boss: field.reference('author') },
    },
    media: [{ id: 9001, file: 'a.jpg', alt: { ja: 'A' } }],
    contents: Array.from({ length: fillers }, (_, index) => ({
      id: 100_000 + index,
      model: 'author',
      created_at: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
      published: { ja: { name: `filler ${index}` } },
    })),
  } as const;
}

/**
 * Does everything that shows an assumption: drafts are saved, published, discarded and unpublished, content is archived, fields
 * are empty, and what is published refers to drafts.
 */
function withHistory<E extends Emulator>(service: E): E {
  const { model, space, language, title, lead } = SECRETS;
  const { contents, media, clock } = service;
  clock.set(Date.UTC(2026, 5, 1));
  const later = <T>(act: () => T): T => {
    clock.advance(MINUTE_AND_MORE);
    return act();
  };
  const create = (values: Record<string, unknown>, more: object = {}) =>
    later(() => contents.create({ model, draft: { ja: { title, lead, ...values } }, ...more }));

  const hidden = later(() => contents.create({ model: 'author', draft: { ja: { name: 'Hidden' } } }));
  const ids = Array.from({ length: 12 }, (_, index) =>
    create({
      [SECRETS.fieldName]: index % 3 === 0 ? '' : `${title} ${index}`,
      ...(index % 2 === 0 && { cover: 9001, tags: ['a'], starts_at: '2026-07-01T00:00:00Z' }),
      ...(index === 11 && { author: hidden }),
    }),
  );
  for (const id of ids) later(() => contents.publish(id));
  const [first = 0, second = 0, third = 0, translated = 0, ...rest] = ids;
  later(() => contents.edit(translated, { lead: 'translated' }, { lang: language }));
  for (const id of rest.slice(0, 3)) later(() => contents.saveDraft(id, { title: 'Confidential draft' }));
  for (const id of rest.slice(3, 6)) later(() => contents.unpublish(id));
  later(() => contents.saveDraft(first, { title: 'another' }));
  later(() => contents.discardDraft(first));
  later(() => contents.archive(second));
  later(() => contents.restore(second));
  later(() => media.setAlt(9001, 'B'));
  later(() => contents.edit(third, { lead: 'edited' }));
  create({}, { space, published: { ja: { title } } });
  later(() => {});
  return service;
}

/** A connection to a service in this process. */
export function connectionTo(service: Emulator, apiKey: string, fetch = service.fetch) {
  const connection = createConnection({
    baseUrl: service.baseUrl,
    apiKey,
    fetch,
    clock: {
      now: () => service.clock.now(),
      // Timeouts are never reached, and retries are sent at once.
      sleep: (milliseconds) => (milliseconds < 10_000 ? Promise.resolve() : new Promise(() => {})),
    },
    network: { requestsPerMinute: Number.POSITIVE_INFINITY },
  });
  return async () => connection;
}
