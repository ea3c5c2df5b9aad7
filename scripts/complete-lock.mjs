// node scripts/run.mjs complete-lock: adds platform binaries to package-lock.json that npm omits when a dependency
// changes, so that `npm ci` works on every platform, and their checksums, as far as the registry has them. See
// scripts/lock/platforms.mjs, and "Packages without a checksum" in SECURITY.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingPlatforms, platformOf } from './lock/platforms.mjs';
import { capture, root } from './process.mjs';

const file = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
const missing = missingPlatforms(lock.packages);
for (const { parent, name, range } of missing) {
  if (!/^\d/.test(range))
    throw new Error(`${parent} requires ${name}@${range}, which is not an exact version.`);
  const { dev } = lock.packages[parent];
  lock.packages[`node_modules/${name}`] = {
    version: range,
    ...(dev && { dev }),
    optional: true,
    ...platformOf(name),
  };
  console.log(`${name}@${range} added.`);
}
const unverified = Object.entries(lock.packages).filter(
  ([place, { integrity, link }]) => place.includes('node_modules/') && !integrity && !link,
);
for (const [place, { version, ...rest }] of unverified) {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = await integrityOf(`${name}@${version}`);
  if (integrity) lock.packages[place] = { version, integrity, ...rest };
  else console.log(`${name}@${version} is not in the registry: without integrity`);
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${missing.length} entries added.`);

/** The checksum of a version in the registry, if it exists. */
async function integrityOf(spec) {
  const { code, output } = await capture('npm', ['view', spec, 'dist.integrity', '--silent']);
  return code === 0 ? output.match(/\bsha512-\S+/)?.[0] : undefined;
}
