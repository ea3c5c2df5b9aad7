// npm run release:plan: prints what the release workflow does next: `step=publish` if the registry does not have the
// version of package.json, otherwise `step=none`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root } from './process.mjs';
import { isInRegistry } from './release/registry.mjs';

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const view = await capture('npm', ['view', `${name}@${version}`, 'version', '--loglevel=error']);
console.log(`step=${isInRegistry(view, version) ? 'none' : 'publish'}`);
