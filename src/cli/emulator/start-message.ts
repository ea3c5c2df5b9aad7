import type { SeedKey } from '../../emulator/index.ts';

/** Printed once it listens. */
export interface Started {
  readonly baseUrl: string;
  readonly assetsUrl: string;
  readonly keys: readonly SeedKey[];
  /** Where the content comes from: a file, or the bundled sample. */
  readonly source: string;
  /** The header of the key, if it is not the usual one. */
  readonly header: string | undefined;
  /** Whether the port was chosen by the user, so that the addresses stay the same. */
  readonly hasPort: boolean;
}

/** The keys, lines for `.env`, and what to do next. */
export function describeStart(started: Started): string {
  const { keys, header, hasPort, source } = started;
  const width = Math.max(0, ...keys.map(({ key }) => key.length));
  const rows = keys.map((key, index) => `  #${index + 1}  ${key.key.padEnd(width)}  ${readable(key)}`);
  const next = [
    'Next: copy these lines into the .env file of your site and run `npx astro dev`;',
    'in an empty folder, `npx astro-luid init` writes a site from them. Ctrl-C stops the emulator.',
    ...(hasPort ? [] : ['The port is another one at each start; --port 4010 keeps it.']),
    ...(header === undefined ? [] : [`defineSpace needs apiKeyHeader: ${JSON.stringify(header)}.`]),
  ];
  return [
    `Serving ${source}.`,
    '',
    ...(keys.length === 0
      ? ['The seed has no keys: every request to the API gets a 401.']
      : ['Keys', ...rows]),
    '',
    ...envLines(started),
    '',
    ...next,
    '',
  ].join('\n');
}

function readable({ reads, spaces }: SeedKey): string {
  const what = `reads published content${reads === 'published' ? '' : ' and drafts'}, may write`;
  return `${what}, ${spaces === undefined ? 'all spaces' : `spaces: ${spaces.join(', ') || 'none'}`}`;
}

function envLines({ baseUrl, assetsUrl, keys }: Started): string[] {
  // A key for all spaces is the better choice where there are several.
  const choose = (reads: SeedKey['reads']) =>
    keys.find((key) => key.reads === reads && !key.spaces) ?? keys.find((key) => key.reads === reads);
  return [
    `LUID_BASE_URL=${baseUrl}`,
    `LUID_ASSETS_URL=${assetsUrl}`,
    keyLine('LUID_API_KEY', choose('published'), 'published content only'),
    keyLine('LUID_DRAFT_API_KEY', choose('drafts'), 'drafts'),
  ];
}

function keyLine(name: string, key: SeedKey | undefined, reads: string): string {
  if (!key) return `# ${name}: the seed has no key that reads ${reads}`;
  if (/^[\w.:/@+~-]+$/.test(key.key)) return `${name}=${key.key}`;
  // What .env readers do with other characters differs.
  if (/['\\$`]/.test(key.key))
    return `# ${name}: this key has characters that .env cannot carry; set it in the shell`;
  return `${name}='${key.key}'`;
}
