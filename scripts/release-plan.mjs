// npm run release:plan: prints what the release workflow does next: `step=version` if there are changesets,
// `step=publish` if the registry does not have the version of package.json, otherwise `step=none`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, root } from './process.mjs';
import { isInRegistry, nextStep, pendingChangesets } from './release/plan.mjs';

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const changesets = pendingChangesets(readdirSync(join(root, '.changeset'))).length;
const view = await capture('npm', ['view', `${name}@${version}`, 'version', '--loglevel=error']);
console.log(`step=${nextStep({ changesets, isPublished: isInRegistry(view, version) })}`);
