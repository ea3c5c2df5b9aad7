// Checks the imports of src: which folder may import which, no cycles between files, no `node:` in entry points that
// run anywhere, no static import of optional peers.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** Each folder (or file) of src and what it may import besides itself and `shared`. */
export const ARROWS = {
  shared: [],
  contract: [],
  models: ['contract'],
  client: ['contract', 'models'],
  images: ['contract', 'models', 'client'],
  replica: ['client', 'images', 'contract', 'models'],
  entries: ['images', 'models', 'contract'],
  space: ['replica', 'entries', 'client', 'images', 'contract', 'models'],
  astro: ['space', 'replica', 'entries', 'client', 'images', 'contract', 'models'],
  platform: ['astro', 'space', 'entries'],
  emulator: ['contract', 'models'],
  cli: ['astro', 'space', 'replica', 'entries', 'client', 'images', 'contract', 'models', 'emulator'],
  'index.ts': ['astro', 'space', 'replica', 'entries', 'client', 'images', 'contract', 'models'],
  internal: ['index.ts', 'astro', 'space'],
  'in-astro.ts': ['astro'],
};

const { peerDependenciesMeta } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);
const OPTIONAL_PEERS = new Set(Object.keys(peerDependenciesMeta));

/** Entry points that run in any runtime: their static imports must not reach `node:`. */
const ANYWHERE = ['index.ts', 'client/index.ts', 'astro/live/live.ts', 'images/index.ts'];

/** Every file of src with its imports. */
export function readImports(source) {
  const files = globSync('**/*.ts', { cwd: source }).map((file) => file.replaceAll('\\', '/'));
  return new Map(files.map((file) => [file, importsOf(source, file)]));
}

export function findBadImports(source) {
  const files = readImports(source);
  return [
    ...forbiddenImports(files),
    ...cycles(files),
    ...nodeInAnywhere(files),
    ...optionalPeers(files),
    ...zodInClient(files),
  ];
}

/** The imports of a file: `target` within src, or else `module`. `lazy` imports are dynamic. */
function importsOf(source, file) {
  const text = readFileSync(join(source, file), 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found = [];
  const add = (specifier, typeOnly, lazy) => {
    const target = specifier.startsWith('.')
      ? relative(source, join(source, dirname(file), specifier))
          .replaceAll('\\', '/')
          .replace(/\.js$/, '.ts')
      : undefined;
    found.push({ target, module: specifier, typeOnly, lazy });
  };
  const visit = (node) => {
    const specifier = node.moduleSpecifier?.text;
    if (ts.isImportDeclaration(node)) add(specifier, isTypeOnly(node.importClause), false);
    else if (ts.isExportDeclaration(node) && specifier) add(specifier, isTypeOnly(node), false);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      if (ts.isStringLiteralLike(node.arguments[0])) add(node.arguments[0].text, false, true);
    } else if (ts.isImportTypeNode(node)) add(node.argument.literal.text, true, false);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function isTypeOnly(clause) {
  if (!clause) return false;
  if (clause.isTypeOnly || clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings?.elements ?? clause.exportClause?.elements;
  return !clause.name && names?.length > 0 && names.every((name) => name.isTypeOnly);
}

const folderOf = (file) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : file);

function* forbiddenImports(files) {
  for (const [file, imports] of files) {
    const from = folderOf(file);
    if (!ARROWS[from]) yield `${file}: the folder ${from} is not in ARROWS of scripts/imports.mjs`;
    for (const { target } of imports) {
      if (target === undefined) continue;
      const to = folderOf(target);
      if (to === from || to === 'shared' || ARROWS[from]?.includes(to)) continue;
      yield `${file} imports ${target}: ${from} may not import ${to}`;
    }
  }
}

function* cycles(files) {
  const done = new Set();
  const path = [];
  function* visit(file) {
    if (path.includes(file)) {
      yield `cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`;
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const { target } of files.get(file) ?? []) if (target) yield* visit(target);
    path.pop();
    done.add(file);
  }
  for (const file of files.keys()) yield* visit(file);
}

/** The files that an entry point loads statically, each with its chain of imports. */
export function loadedWith(files, entry) {
  const seen = new Map([[entry, [entry]]]);
  for (const [file, chain] of seen) {
    for (const { target, typeOnly, lazy } of files.get(file) ?? []) {
      if (target && !typeOnly && !lazy && !seen.has(target)) seen.set(target, [...chain, target]);
    }
  }
  return seen;
}

/** The packages that an entry point loads statically, each with its chain of imports. */
function* packagesLoadedWith(files, entry) {
  for (const [file, chain] of loadedWith(files, entry)) {
    for (const { target, module, typeOnly, lazy } of files.get(file) ?? []) {
      if (!target && !typeOnly && !lazy) yield { module, chain };
    }
  }
}

function* nodeInAnywhere(files) {
  for (const entry of ANYWHERE) {
    for (const { module, chain } of packagesLoadedWith(files, entry)) {
      if (module.startsWith('node:'))
        yield `${chain.join(' → ')} imports ${module}: ${entry} must run anywhere`;
    }
  }
}

/** Optional peers may be imported dynamically only. */
function* optionalPeers(files) {
  for (const [file, imports] of files) {
    for (const { module, typeOnly, lazy } of imports) {
      if (OPTIONAL_PEERS.has(module) && !typeOnly && !lazy)
        yield `${file} imports ${module}, which is optional: use import(), and an error that says what to install`;
    }
  }
}

/** zod would be the largest part of the client. */
function* zodInClient(files) {
  for (const { module, chain } of packagesLoadedWith(files, 'client/index.ts')) {
    if (module === 'zod') yield `${chain.join(' → ')} imports zod: astro-luid/client must not`;
  }
}
