import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import type { PackedSite } from '../../hosts/site/packed-site.ts';
import { shellEnvironment } from '../../package/pack.ts';
import type { NpmPackages } from '../../support/npm-packages.ts';
import { run } from '../../support/run-command.ts';

/** Bytes of a built server with all packages that it imports, bundled without being minified, with gzip. */
export async function bundleSize({ server, folder }: PackedSite): Promise<number> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [server],
    outdir: join(folder, 'bundled'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    write: false,
    // What the server runs without, and what a host has.
    external: ['sharp', 'cloudflare:*', 'hast-util-sanitize', 'parse5', 'remark', 'remark-gfm'],
    logLevel: 'error',
  });
  return gzipSync(Buffer.concat(outputFiles.map(({ contents }) => contents))).byteLength;
}

/** Bytes with gzip that `wrangler deploy` uploads, as it reports. */
export async function workerUpload(site: PackedSite, packages: NpmPackages): Promise<number> {
  const args = [packages.path('wrangler/bin/wrangler.js'), 'deploy', '--dry-run'];
  const env = shellEnvironment({ HOME: site.folder, WRANGLER_SEND_METRICS: 'false' });
  const output = await run(process.execPath, args, { cwd: site.folder, env });
  const [, kibibytes] = /gzip: ([\d.]+) KiB/.exec(output) ?? [];
  if (!kibibytes) throw new Error(`wrangler reports no size:\n${output}`);
  return Number(kibibytes) * 1024;
}
