import { LuidConfigError } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/is-record.ts';
import { applyChanges, type Change, detectStyle, insertMembers, type Member } from './insert-code.ts';
import { type Node, parseSource, propertyOf, UnsupportedSyntaxError, unwrap } from './parse-source.ts';

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

/** Adds missing entries to a package.json and preserves its formatting; returns the same text if none is missing. */
export function addDependencies(text: string, requirements: PackageRequirements): string {
  const manifest = parse(text);
  try {
    return addMissing(text, manifest, requirements);
  } catch (cause) {
    if (!(cause instanceof UnsupportedSyntaxError)) throw cause;
    throw new LuidConfigError(`package.json cannot be extended: ${cause.message}`, {
      hint: 'Remove duplicate and unusual entries from it, then run this command again. Nothing was changed.',
      cause,
    });
  }
}

function addMissing(text: string, manifest: Manifest, requirements: PackageRequirements): string {
  const groups = {
    scripts: requirements.scripts,
    dependencies: requirements.dependencies,
    devDependencies: requirements.devDependencies,
  };
  const known = allDependencies(manifest);
  // In parentheses, JSON is a JavaScript expression.
  const source = parseSource(`(${text})`);
  const root = unwrap(source.body[0]?.expression) as Node;
  const style = { ...detectStyle(source), trailingComma: false };
  const changes: Change[] = [];
  const added: Member[] = [];

  for (const [name, wanted = {}] of Object.entries(groups)) {
    const present = name === 'scripts' ? groupOf(manifest, name) : known;
    const missing = Object.entries(wanted).filter(([key]) => !Object.hasOwn(present, key));
    if (missing.length === 0) continue;
    const group = unwrap(propertyOf(root, name)?.value);
    if (group?.type === 'ObjectExpression') {
      const members = missing.map(([key, value]) => ({
        code: `${JSON.stringify(key)}: ${JSON.stringify(value)}`,
      }));
      changes.push(...insertMembers(source, group, members, style));
    } else {
      added.push({ code: `"${name}": ${JSON.stringify(Object.fromEntries(missing), null, 2)}` });
    }
  }
  const type = propertyOf(root, 'type')?.value as Node | undefined;
  if (requirements.isModule && manifest.type !== 'module') {
    if (type) changes.push({ start: type.start, end: type.end, text: '"module"' });
    else added.unshift({ code: '"type": "module"' });
  }
  changes.push(...insertMembers(source, root, added, style));
  return applyChanges(source.text, changes).slice(1, -1);
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
