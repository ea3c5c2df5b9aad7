import type { createEmulator } from '../../../src/emulator/index.ts';
import { LuidError } from '../../../src/shared/errors.ts';
import { contentId, mediaId, valuesFor } from './links.ts';
import type { Command, Languages } from './random-command.ts';
import type { Seed } from './reference-seed.ts';

type Emulator = ReturnType<typeof createEmulator>;

/** What came of a command: the answer to a request, or whether an editor could do it. */
export type Result = { status: number; body: unknown } | 'done' | 'impossible';

/** Does to an emulator what a command says; `seed` is what is there before it. */
export async function runCommand(emulator: Emulator, seed: Seed, command: Command): Promise<Result> {
  const { contents, media, clock } = emulator;
  switch (command.do) {
    case 'create': {
      const { model, published, key } = command;
      const query = `model=${model}&published=${published}`;
      return send(emulator, 'POST', `/contents?${query}`, key, bodyOf(seed, model, command.languages));
    }
    case 'replace':
    case 'patch': {
      const { id, model } = itemOf(seed, command.target);
      const method = command.do === 'replace' ? 'PUT' : 'PATCH';
      const path = `/contents/${id}?model=${model}&published=${command.published}`;
      return send(emulator, method, path, command.key, bodyOf(seed, model, command.languages));
    }
    case 'misname': {
      const { id, model } = itemOf(seed, command.target);
      const other = model === 'note' ? 'tag' : 'note';
      const body = bodyOf(seed, other, command.languages);
      return send(emulator, command.method, `/contents/${id}?model=${other}`, 'all', body);
    }
    case 'duplicate':
      return send(emulator, 'POST', `/contents/${contentId(seed, command.target)}/duplicate`, command.key);
    case 'upload': {
      const form = new FormData();
      form.append('file', new Blob(['text']), 'new.txt');
      const alt = `alt[${command.lang}]=${encodeURIComponent(command.alt)}`;
      return send(emulator, 'POST', `/media?${alt}`, 'all', form);
    }
    case 'deleteMedia':
      return send(emulator, 'DELETE', `/media/${mediaId(seed, command.target)}`, 'all');
    case 'archiveMedia':
      return edit(() => media.archive(mediaId(seed, command.target)));
    case 'restoreMedia':
      return edit(() => media.restore(mediaId(seed, command.target)));
    case 'wait':
      return edit(() => clock.advance(command.ms));
    case 'edit':
    case 'saveDraft': {
      const { id, model } = itemOf(seed, command.target);
      const values = valuesFor(seed, model, command.values);
      return edit(() => contents[command.do](id, values, { lang: command.lang }));
    }
    default:
      return edit(() => contents[command.do](contentId(seed, command.target)));
  }
}

function itemOf(seed: Seed, target: number): { id: number; model: string } {
  const id = contentId(seed, target);
  return seed.contents.find((content) => content.id === id) ?? { id, model: 'note' };
}

/** §4.3: the main language goes without its key. */
function bodyOf(seed: Seed, model: string, languages: Languages): string {
  const data = Object.entries(languages).map(([lang, drawn]) => [
    lang === seed.languages.main ? 'fields' : `fields[${lang}]`,
    valuesFor(seed, model, drawn),
  ]);
  return JSON.stringify(Object.fromEntries(data));
}

async function send(
  emulator: Emulator,
  method: string,
  path: string,
  key: string,
  body: string | FormData | null = null,
): Promise<Result> {
  const headers = {
    'X-SERVICE-API-KEY': key,
    ...(typeof body === 'string' && { 'content-type': 'application/json' }),
  };
  const response = await emulator.fetch(`${emulator.baseUrl}${path}`, { method, headers, body });
  return { status: response.status, body: await response.json() };
}

function edit(act: () => void): Result {
  try {
    act();
    return 'done';
  } catch (error) {
    if (!LuidError.is(error)) throw error;
    return 'impossible';
  }
}
