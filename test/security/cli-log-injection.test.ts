import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkCommand } from '../../src/cli/check/check-command.ts';
import { syncCommand } from '../../src/cli/sync/sync-command.ts';
import { watchCommand } from '../../src/cli/watch/watch-command.ts';
import { createProject, type Project } from '../cli/support/cli-project.ts';
import { runCommand } from '../cli/support/run-in-process.ts';
import { findHarm, HOSTILE, HOSTILE_STRINGS } from './hostile-strings.ts';
import { contentOf } from './loader-context.ts';
import { type AnyContent, serveItems } from './stub-service.ts';

/** The current behaviour of the service. */
let respond: typeof fetch;
let server: Server;
let project: Project;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const result = await respond(`http://x${request.url}`);
    response.writeHead(result.status, Object.fromEntries(result.headers));
    response.end(await result.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  project = createProject();
  project.install();
  project.write('.env', `LUID_BASE_URL=http://127.0.0.1:${port}/v1\nLUID_API_KEY=key\n`);
  project.write(
    'src/space.ts',
    `import { defineSpace, field } from 'astro-luid';
     export const space = defineSpace({
       languages: { main: 'ja' },
       network: { retries: 0, requestsPerMinute: Infinity },
       models: {
         thing: {
           title: field.text({ title: true }),
           ...Object.fromEntries(
             Array.from({ length: ${HOSTILE_STRINGS.length} }, (_, n) => ['kind_' + n, field.select(['a'])]),
           ),
           kinds: field.multiSelect(['a']),
           when: field.datetime(),
           other: field.reference('other'),
           blocks: field.combination({ hero: { text: field.text() } }),
         },
         other: { title: field.text() },
       },
     });`,
  );
});
afterAll(() => {
  server.close();
  project.remove();
});

/** One item per hostile string, with that string in every value. */
const VALUES: AnyContent[] = HOSTILE_STRINGS.map((hostile, index) => ({
  ...contentOf(index + 1, 'thing', {
    title: hostile,
    [`kind_${index}`]: hostile,
    kinds: [hostile],
    when: hostile,
    other: 900,
    blocks: [{ luid: 'hero', fields: { text: hostile } }],
  }),
  _title: hostile,
  _langs: { current: 'en', available: ['en'] },
}));
const OTHER = { ...contentOf(900, 'other', { title: HOSTILE }), _title: HOSTILE } as AnyContent;

/** Only items in the middle of the list have fields and blocks with hostile names, so only a full read finds them. */
const NAMES: AnyContent[] = Array.from({ length: 250 }, (_, index) => {
  const hostile = HOSTILE_STRINGS[index - 110];
  const names = hostile && {
    [hostile]: hostile,
    blocks: [
      { luid: hostile, fields: {} },
      { luid: 'hero', fields: { [hostile]: hostile } },
    ],
  };
  return contentOf(index + 1, 'thing', { title: 'a', ...names });
});

/** Removes the properties that the request did not select. */
function withSelect(all: typeof fetch): typeof fetch {
  return async (input) => {
    const response = await all(input);
    const select = new URL(String(input)).searchParams.get('select')?.split(',');
    if (!select || !response.ok) return response;
    const page = (await response.json()) as { data: AnyContent[] };
    const pick = (item: AnyContent) =>
      Object.fromEntries(Object.entries(item).filter(([name]) => select.includes(name)));
    return Response.json({ ...page, data: page.data.map(pick) });
  };
}

const COMMANDS = { check: checkCommand, sync: syncCommand, watch: watchCommand };

/** Runs a command, in this process or in a child process, and returns its output. */
async function runAndPrint(name: keyof typeof COMMANDS, args: readonly string[], isChild = false) {
  const { stdout, stderr, code } = isChild
    ? await project.luid([name, ...args])
    : await runCommand(name, COMMANDS[name], [...args, '--dir', project.folder]);
  return { stdout, code, harm: findHarm(`${stdout}\n${stderr}`), printed: `${stdout}\n${stderr}` };
}

const ONCE = ['--once', '--exec', 'true'];

describe('values of the service', () => {
  beforeAll(() => {
    respond = serveItems([...VALUES, OTHER]);
  });

  test.each([[[]], [['--all']]])('luid check %s prints as plain text', async (args) => {
    const { harm, printed } = await runAndPrint('check', args, true);
    expect(harm).toEqual([]);
    expect(printed).toContain('unknown option');
    expect(printed).toContain('\\u001b[2J');
  });

  test('luid check --json prints as escapes that mean the same', async () => {
    const { harm, stdout } = await runAndPrint('check', ['--json']);
    expect(harm).toEqual([]);
    const { drift } = JSON.parse(stdout) as { drift: { message: string }[] };
    expect(drift.map(({ message }) => message).join()).toContain('\\u001b[2J');
  });

  test.each([
    [['--verify', '--stats'], '\\u001b[2J'],
    [['--verify', '--json'], '"title": "\\u001b[2J'],
  ])('luid sync %s prints the titles of what differed', async (args, shown) => {
    respond = serveItems([OTHER]);
    await runAndPrint('sync', ['--verify']);
    // The CDN responds with the old items; URLs with a filter bypass it and respond with the new ones.
    const [before, after] = [serveItems([OTHER]), serveItems([...VALUES, OTHER])];
    respond = (input) => (String(input).includes('lte') ? after(input) : before(input));
    const { harm, printed } = await runAndPrint('sync', args);
    respond = serveItems([...VALUES, OTHER]);
    expect(printed).toContain(shown);
    expect(harm).toEqual([]);
  });

  test('luid watch prints none of them', async () => {
    const { harm, printed, code } = await runAndPrint('watch', ONCE);
    expect(code, printed).toBe(0);
    expect(harm).toEqual([]);
  });
});

test.each([
  ['check', ['--all']],
  ['check', ['--all', '--json']],
  ['sync', ['--verify']],
] as const)('names of fields and blocks: luid %s %s prints them as plain text', async (name, args) => {
  respond = withSelect(serveItems([...NAMES, OTHER]));
  const { harm, printed } = await runAndPrint(name, args);
  expect(harm).toEqual([]);
  if (name === 'check') expect(printed).toContain('not declared');
});

describe('invalid names and properties', () => {
  const item = contentOf(1, 'thing', { title: 'a' });
  const model = { ...item, _model: HOSTILE };
  test.each<[string, AnyContent[]]>([
    ['a model', [model, OTHER]],
    ['a field', [{ ...item, [HOSTILE]: 1 }, OTHER]],
    ['a space', [{ ...item, _space: HOSTILE }, OTHER]],
    ['a status', [{ ...item, _status: HOSTILE }, OTHER]],
    ['a language', [{ ...item, _langs: { current: HOSTILE, available: [HOSTILE] } }, OTHER]],
    ['an id', [{ ...item, _id: HOSTILE as never }, OTHER]],
    ['a time', [{ ...item, _updated_at: HOSTILE, _created_at: HOSTILE }, OTHER]],
  ])('%s: all commands print it as plain text', async (_, items) => {
    respond = serveItems(items);
    expect((await runAndPrint('check', [])).harm).toEqual([]);
    expect((await runAndPrint('check', ['--json'])).harm).toEqual([]);
    expect((await runAndPrint('sync', [])).harm).toEqual([]);
    expect((await runAndPrint('watch', ONCE)).harm).toEqual([]);
  });

  test('a model that was renamed to a hostile name', async () => {
    respond = serveItems([...VALUES.slice(0, 2), OTHER]);
    await runAndPrint('sync', []);
    const renamed = VALUES.slice(0, 2).map((one) => ({ ...one, _model: HOSTILE }));
    respond = serveItems([...renamed, OTHER]);
    const { harm, printed } = await runAndPrint('sync', []);
    expect(printed).toContain('There is no model thing any more');
    expect(harm).toEqual([]);
  });
});

test.each<[string, () => Response]>([
  [
    'a 400 response',
    () => Response.json({ status: HOSTILE, code: HOSTILE, message: HOSTILE }, { status: 400 }),
  ],
  ['a 503 response', () => Response.json({ code: HOSTILE }, { status: 503 })],
  ['a response that is not JSON', () => new Response(HOSTILE)],
  ['a list of the wrong shape', () => Response.json({ total: HOSTILE, data: HOSTILE })],
])('%s: all commands print it as plain text', async (_, createResponse) => {
  respond = async () => createResponse();
  for (const [name, args] of [
    ['check', ['--json']],
    ['sync', ['--verify']],
    ['watch', [...ONCE, '--if-changed', '--json']],
  ] as const) {
    const { harm, code } = await runAndPrint(name, args);
    expect(harm, name).toEqual([]);
    expect(code).toBe(1);
  }
});
