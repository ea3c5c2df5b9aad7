// node scripts/run.mjs complete-lock: adds platform binaries to package-lock.json that npm omits when a dependency
// changes, so that `npm ci` works on every platform. See scripts/lock/platforms.mjs.
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
  const integrity = await integrityOf(`${name}@${range}`);
  lock.packages[`node_modules/${name}`] = {
    version: range,
    ...(integrity && { integrity }),
    ...(dev && { dev }),
    optional: true,
    ...platformOf(name),
  };
  console.log(`${name}@${range}${integrity ? '' : ' (not in the registry: without integrity)'}`);
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
