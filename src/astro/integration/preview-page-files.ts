import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';

/**
 * The prerendered pages of a site that call `getPreviewEntry`: their patterns, and their files from the root of the site.
 * Read from their files, because Astro resolves routes only after integrations have added theirs.
 */
export function findPreviewedPages({
  root,
  srcDir,
  output,
}: Pick<AstroConfig, 'root' | 'srcDir' | 'output'>): Record<string, string> {
  const folder = fileURLToPath(new URL('pages/', srcDir));
  if (!existsSync(folder)) return {};
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.astro'));
  const pages: Record<string, string> = {};
  for (const name of names.sort()) {
    // Astro ignores them.
    if (name.split('/').some((segment) => segment.startsWith('_'))) continue;
    const file = join(folder, name);
    const source = readFileSync(file, 'utf8');
    if (!/\bgetPreviewEntry\s*\(/.test(source) || !isPrerendered(source, output)) continue;
    pages[patternOf(name)] = relative(fileURLToPath(root), file).replaceAll('\\', '/');
  }
  return pages;
}

function isPrerendered(source: string, output: AstroConfig['output']): boolean {
  const [, set] = /^\s*export\s+const\s+prerender\s*=\s*(true|false)/m.exec(source) ?? [];
  return set === undefined ? output !== 'server' : set === 'true';
}

/** As Astro makes it of a file. */
function patternOf(name: string): string {
  return `/${name.replace(/(?:(^|\/)index)?\.astro$/, '')}`;
}
