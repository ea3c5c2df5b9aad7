import type { SeedKey } from '../../emulator/index.ts';

/** What the start message shows. */
export interface StartedEmulator {
  readonly baseUrl: string;
  readonly assetsUrl: string;
  /** `undefined`: it is off. */
  readonly studioUrl: string | undefined;
  readonly keys: readonly SeedKey[];
  /** The origin of the content: a file, or the bundled sample. */
  readonly source: string;
  /** The API key header, if it is not the default. */
  readonly header: string | undefined;
  /** The user chose the port, so the URLs stay the same at the next start. */
  readonly hasPort: boolean;
}

/** The keys, lines for `.env`, and the next steps. Printed once the emulator listens. */
export function startMessage(started: StartedEmulator): string {
  const { keys, hasPort, source, studioUrl } = started;
  const width = Math.max(0, ...keys.map(({ key }) => key.length));
  const rows = keys.map((key, index) => `  #${index + 1}  ${key.key.padEnd(width)}  ${describeKey(key)}`);
  const next = [
    'Next: copy these lines into the .env file of your site and run `npx astro dev`.',
    'In an empty folder, `npx astro-luid init` creates a site from them. Ctrl-C stops the emulator.',
    ...(hasPort ? [] : ['The port changes at each start; pass --port 4010 to keep it.']),
  ];
  return [
    `Serving ${source}.`,
    '',
    ...(studioUrl === undefined ? [] : [`Studio  ${studioUrl}`, '']),
    ...(keys.length === 0
      ? ['The seed has no keys: the API responds to every request with 401.']
      : ['Keys', ...rows]),
    '',
    ...formatEnv(started),
    '',
    ...next,
    '',
  ].join('\n');
}

function describeKey({ reads, spaces }: SeedKey): string {
  const what = `reads ${reads === 'published' ? 'published content' : 'published content and drafts'}, may write`;
  return `${what}, ${spaces === undefined ? 'all spaces' : `spaces: ${spaces.join(', ') || 'none'}`}`;
}

function formatEnv({ baseUrl, assetsUrl, header, keys }: StartedEmulator): string[] {
  // Prefer a key that can read all spaces.
  const chooseKey = (reads: SeedKey['reads']) =>
    keys.find((key) => key.reads === reads && !key.spaces) ?? keys.find((key) => key.reads === reads);
  return [
    `LUID_BASE_URL=${baseUrl}`,
    `LUID_ASSETS_URL=${assetsUrl}`,
    ...(header === undefined ? [] : [`LUID_API_KEY_HEADER=${header}`]),
    keyLine('LUID_API_KEY', chooseKey('published'), 'published content only'),
    keyLine('LUID_DRAFT_API_KEY', chooseKey('drafts'), 'drafts'),
  ];
}

function keyLine(name: string, key: SeedKey | undefined, reads: string): string {
  if (!key) return `# ${name}: the seed has no key that reads ${reads}`;
  if (/^[\w.:/@+~-]+$/.test(key.key)) return `${name}=${key.key}`;
  // Tools disagree about other characters in .env files.
  if (/['\\$`]/.test(key.key)) return `# ${name}: .env files cannot contain this key; set it in the shell`;
  return `${name}='${key.key}'`;
}
