import { LuidConfigError } from '../../errors.ts';

/** What a site needs in its package.json. Entries that exist already are kept. */
export interface Needs {
  readonly scripts?: Readonly<Record<string, string>> | undefined;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>> | undefined;
  /** The folder has no code yet, so that it can be a module whatever was declared. */
  readonly isModule?: boolean | undefined;
}

type Manifest = Record<string, unknown>;

export function newPackageJson(name: string, needs: Needs): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-');
  const manifest = { name: plain.replaceAll(/^-+|-+$/g, '') || 'site', private: true };
  return `${JSON.stringify(merged(manifest, needs), null, 2)}\n`;
}

/** A package.json with what is missing added, in its own indentation and order; the same text if nothing is. */
export function withNeeds(text: string, needs: Needs): string {
  const manifest = parse(text);
  const result = merged(manifest, needs);
  if (JSON.stringify(result) === JSON.stringify(manifest)) return text;
  const [, indent = '  '] = /^([ \t]+)"/m.exec(text) ?? [];
  const [, end = ''] = /(\s*)$/.exec(text) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  return mark + JSON.stringify(result, null, indent).replaceAll('\n', eol) + end;
}

export function hasDependency(text: string, name: string): boolean {
  return Object.hasOwn(allDependencies(parse(text)), name);
}

function parse(text: string): Manifest {
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (isManifest(manifest)) return manifest;
  } catch {
    // Said below.
  }
  throw new LuidConfigError('package.json is not a JSON object', {
    hint: 'Correct it, then run this command again. Nothing was changed.',
  });
}

function merged(manifest: Manifest, { scripts, dependencies, devDependencies, isModule }: Needs): Manifest {
  const known = allDependencies(manifest);
  const result = isModule ? { ...manifest, type: 'module' } : { ...manifest };
  extend(result, 'scripts', scripts, groupOf(manifest, 'scripts'));
  extend(result, 'dependencies', dependencies, known);
  extend(result, 'devDependencies', devDependencies, known);
  return result;
}

function extend(result: Manifest, name: string, wanted: Manifest = {}, known: Manifest): void {
  const missing = Object.entries(wanted).filter(([key]) => !Object.hasOwn(known, key));
  if (missing.length > 0) result[name] = { ...groupOf(result, name), ...Object.fromEntries(missing) };
}

function allDependencies(manifest: Manifest): Manifest {
  const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  return Object.assign({}, ...groups.map((name) => groupOf(manifest, name)));
}

function groupOf(manifest: Manifest, name: string): Manifest {
  const group = manifest[name];
  return isManifest(group) ? group : {};
}

function isManifest(value: unknown): value is Manifest {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
