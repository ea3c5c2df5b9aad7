import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import { pageFiles } from '../loader/site-routes.ts';

/**
 * The prerendered pages of a site that call `getPreviewEntry`: their patterns, and their files from the root of the site.
 * Read from their files, because Astro resolves routes only after integrations have added theirs.
 */
export function findPreviewedPages({
  root,
  srcDir,
  output,
}: Pick<AstroConfig, 'root' | 'srcDir' | 'output'>): Record<string, string> {
  const pages: Record<string, string> = {};
  for (const { name, route } of pageFiles(srcDir).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!name.endsWith('.astro')) continue;
    const file = join(fileURLToPath(srcDir), 'pages', name);
    const source = readFileSync(file, 'utf8');
    if (!/\bgetPreviewEntry\s*\(/.test(source) || !isPrerendered(source, output)) continue;
    pages[route] = relative(fileURLToPath(root), file).replaceAll('\\', '/');
  }
  return pages;
}

function isPrerendered(source: string, output: AstroConfig['output']): boolean {
  const [, set] = /^\s*export\s+const\s+prerender\s*=\s*(true|false)/m.exec(source) ?? [];
  return set === undefined ? output !== 'server' : set === 'true';
}
