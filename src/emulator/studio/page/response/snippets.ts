// A read of the API as a URL, and as code to copy. Every form requests exactly the same URL.
import { LIMITS } from '../../../../contract/limits.ts';
import { API_KEY_HEADER, type Include, type TextFormat } from '../../../../contract/parameters.ts';

interface Shape {
  readonly depth: number;
  /** Absent: the main language. */
  readonly lang?: string | undefined;
  readonly fallback: boolean;
  readonly select: readonly string[];
  /** By field, or by the path to it. */
  readonly formats: { readonly [path: string]: TextFormat };
}

export interface ItemRead extends Shape {
  readonly id: number;
  readonly include: readonly Include[];
}

export interface ListRead extends Shape {
  readonly model: string;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly order: readonly string[];
  /** Keywords, separated by commas. */
  readonly contains: string;
}

export type Read = ItemRead | ListRead;

/** Where to send a read. */
export interface Target {
  readonly baseUrl: string;
  readonly header: string;
  readonly key: string;
}

/** The path with its query, relative to the base URL. */
export function readPath(read: Read): string {
  const [path, specific] =
    'id' in read
      ? [`/contents/${read.id}`, { include: joined(read.include) }]
      : [
          '/contents',
          {
            model: read.model,
            limit: read.limit,
            offset: read.offset,
            order: joined(read.order),
            contains: read.contains || undefined,
          },
        ];
  const formats = Object.entries(read.formats).map(([field, format]) => [`${field}[format]`, format]);
  return withQuery(path, {
    depth: given(read.depth, LIMITS.defaultDepth),
    lang: read.lang,
    lang_fallback: read.fallback || undefined,
    select: joined(read.select),
    ...Object.fromEntries(formats),
    ...specific,
  });
}

/** Sorted as the client sorts, so that its URL is the same: the CDN caches by the exact URL (§8). */
function withQuery(
  path: string,
  parameters: { readonly [name: string]: string | number | boolean | undefined },
): string {
  const query = new URLSearchParams();
  for (const name of Object.keys(parameters).sort()) {
    const value = parameters[name];
    if (value !== undefined) query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

export function readUrl(read: Read, { baseUrl }: Target): string {
  return baseUrl + readPath(read);
}

/** A command for POSIX shells. */
export function curlCode(read: Read, target: Target): string {
  const header = `${target.header}: ${target.key}`;
  return `curl --globoff ${shellQuote(readUrl(read, target))} \\\n  --header ${shellQuote(header)}\n`;
}

export function fetchCode(read: Read, target: Target): string {
  return [
    `const response = await fetch(${literal(readUrl(read, target))}, {`,
    `  headers: { ${literal(target.header)}: ${literal(target.key)} },`,
    '});',
    `const ${resultName(read)} = await response.json();`,
    '',
  ].join('\n');
}

/** TypeScript with the client of this package. */
export function clientCode(read: Read, { baseUrl, header, key }: Target): string {
  const call = 'id' in read ? `get(${read.id}` : `list(${literal(read.model)}`;
  const options = queryLines(read);
  return [
    "import { createClient } from 'astro-luid/client';",
    '',
    'const client = createClient({',
    `  baseUrl: ${literal(baseUrl)},`,
    `  apiKey: ${literal(key)},`,
    ...(header === API_KEY_HEADER ? [] : [`  apiKeyHeader: ${literal(header)},`]),
    '});',
    ...(options.length === 0
      ? [`const ${resultName(read)} = await client.contents.${call});`]
      : [`const ${resultName(read)} = await client.contents.${call}, {`, ...options, '});']),
    '',
  ].join('\n');
}

function resultName(read: Read): string {
  return 'id' in read ? 'item' : 'page';
}

function queryLines(read: Read): string[] {
  const formats = Object.entries(read.formats).map(
    ([path, format]) => `${literal(path)}: ${literal(format)}`,
  );
  const shape = {
    depth: given(read.depth, LIMITS.defaultDepth)?.toString(),
    lang: read.lang === undefined ? undefined : literal(read.lang),
    fallback: read.fallback ? 'true' : undefined,
    select: listLiteral(read.select),
    format: formats.length > 0 ? `{ ${formats.join(', ')} }` : undefined,
  };
  const specific =
    'id' in read
      ? { include: listLiteral(read.include) }
      : {
          limit: read.limit?.toString(),
          offset: read.offset?.toString(),
          order: listLiteral(read.order),
          contains: read.contains ? literal(read.contains) : undefined,
        };
  return Object.entries({ ...shape, ...specific }).flatMap(([name, code]) =>
    code === undefined ? [] : [`  ${name}: ${code},`],
  );
}

/** A parameter that has its default is not sent. */
function given(value: number, standard: number): number | undefined {
  return value === standard ? undefined : value;
}

function joined(values: readonly string[]): string | undefined {
  return values.length > 0 ? values.join(',') : undefined;
}

/** The names of a comma-separated list that was typed. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** One argument of a POSIX shell: nothing in single quotes is special. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A JavaScript string in single quotes. */
export function literal(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

function listLiteral(values: readonly string[]): string | undefined {
  return values.length > 0 ? `[${values.map(literal).join(', ')}]` : undefined;
}
