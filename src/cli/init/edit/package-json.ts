import { LuidConfigError } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/is-record.ts';

/** What a site needs in its package.json. Existing entries are kept. */
export interface PackageRequirements {
  readonly scripts?: Readonly<Record<string, string>> | undefined;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>> | undefined;
  /** Set `type: module`, whatever was declared: the folder has no code yet. */
  readonly isModule?: boolean | undefined;
}

type Manifest = Record<string, unknown>;

export function newPackageJson(name: string, requirements: PackageRequirements): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-');
  const manifest = { name: plain.replaceAll(/^-+|-+$/g, '') || 'site', private: true };
  return addDependencies(`${JSON.stringify(manifest, null, 2)}\n`, requirements);
}

/** Adds missing entries to a package.json, indented as it is; returns the same text if none is missing. */
export function addDependencies(text: string, { isModule, ...groups }: PackageRequirements): string {
  const manifest = parse(text);
  const known = allDependencies(manifest);
  const added: Manifest = isModule && manifest.type !== 'module' ? { type: 'module' } : {};
  for (const [name, wanted = {}] of Object.entries(groups)) {
    const present = groupOf(manifest, name);
    const all = name === 'scripts' ? present : known;
    const missing = Object.entries(wanted).filter(([key]) => !Object.hasOwn(all, key));
    if (missing.length > 0) added[name] = { ...present, ...Object.fromEntries(missing) };
  }
  if (Object.keys(added).length === 0) return text;
  const [, indent = '  '] = /^([ \t]+)"/m.exec(text) ?? [];
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const json = JSON.stringify({ ...manifest, ...added }, null, indent);
  return json.replaceAll('\n', eol) + (/\s*$/.exec(text)?.[0] ?? '');
}

export function hasDependency(text: string, name: string): boolean {
  return Object.hasOwn(allDependencies(parse(text)), name);
}

function parse(text: string): Manifest {
  try {
    const manifest: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    if (isRecord(manifest)) return manifest;
  } catch {}
  throw new LuidConfigError('package.json is not a JSON object', {
    hint: 'Fix it, then run this command again. Nothing was changed.',
  });
}

function allDependencies(manifest: Manifest): Manifest {
  const groups = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  return Object.assign({}, ...groups.map((name) => groupOf(manifest, name)));
}

function groupOf(manifest: Manifest, name: string): Manifest {
  const group = manifest[name];
  return isRecord(group) ? group : {};
}
