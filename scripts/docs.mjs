// npm run docs: builds the documentation and serves it, with search, on http://localhost:4330.
// npm run docs -- --build only builds it, into docs/site/dist; npm run docs -- --dev serves it while it is written, where
// pages update themselves and there is no search.
import { join } from 'node:path';
import { findDeadLinks } from './docs/dead-links.mjs';
import { freePort } from './free-port.mjs';
import { endOnSignal, root } from './process.mjs';

const site = join(root, 'docs/site');
const [mode = '--serve', ...rest] = process.argv.slice(3);
if (!['--serve', '--build', '--dev'].includes(mode) || rest.length > 0) {
  console.error('Usage: npm run docs [-- --build | --dev]');
  process.exit(2);
}
process.env.ASTRO_TELEMETRY_DISABLED = '1';
const { build, dev, preview } = await import('astro');

if (mode !== '--dev') await buildSite();
if (mode !== '--build') await serve();

async function buildSite() {
  await build({ root: site, logLevel: 'warn' });
  const dead = findDeadLinks(join(site, 'dist'), process.env.SITE_BASE);
  if (dead.length === 0) return console.log('Built docs/site/dist.');
  console.error(`Links that lead nowhere:\n  ${dead.join('\n  ')}`);
  process.exit(1);
}

async function serve() {
  const port = await freePort(4330, 'localhost');
  const start = mode === '--dev' ? dev : preview;
  const server = await start({ root: site, logLevel: 'warn', server: { host: 'localhost', port } });
  console.log(`\n  The documentation  http://localhost:${port}\n`);
  endOnSignal(() => server.stop());
}
