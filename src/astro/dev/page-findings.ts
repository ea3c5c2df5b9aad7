import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import { type Finding, problemOf } from '../../entries/lint/finding.ts';
import { replicasOf } from '../../replica/content/content.ts';
import { connectFrom, type Environment } from '../../space/environment/env-files.ts';
import { SpaceRuntime } from '../../space/runtime.ts';
import type { ConnectedSpace } from '../../space/space.ts';
import { collectionStatuses } from '../collection-status.ts';
import type { IntegrationOptions } from '../integration/integration-options.ts';
import type { SitePaths } from '../lint/site-paths.ts';
import type { PageFindings } from './toolbar-messages.ts';

interface FindingsOptions {
  readonly space: ConnectedSpace;
  readonly environment: Environment;
  readonly options: Pick<IntegrationOptions, 'lint' | 'redirects'>;
  readonly config: SitePaths & Pick<AstroConfig, 'cacheDir'>;
}

/** Finds what `luid lint` finds, in what the dev server has loaded. */
export function createPageFindings({ space, environment, options, config }: FindingsOptions): PageFindings {
  let last: { readonly fingerprint: string; readonly findings: readonly Finding[] } | undefined;

  async function findAll(): Promise<readonly Finding[]> {
    const drafts = collectionStatuses(space).some((status) => status.drafts);
    const connect = () => connectFrom(space, environment, drafts);
    const running = { ...space, connect, runtime: new SpaceRuntime() };
    const cacheDir = fileURLToPath(new URL('astro-luid', config.cacheDir));
    // Only when the toolbar asks: most starts of a dev server need none of it.
    const { lintStoredContent, openStoredContent } = await import('../lint/lint-replica.ts');
    const { lintedSite } = await import('../lint/site-paths.ts');
    const content = await openStoredContent(running, cacheDir, drafts);
    const fingerprint = replicasOf(content)
      .map((replica) => replica.fingerprint)
      .join();
    if (last?.fingerprint === fingerprint) return last.findings;
    const site = lintedSite(config, space, options);
    const findings = await lintStoredContent(running, content, site, options.lint ?? {}, cacheDir);
    last = { fingerprint, findings };
    return findings;
  }

  return async (id) => {
    const all = await findAll().catch(() => []);
    return all
      .filter((finding) => finding.id === id)
      .map((finding) => ({ severity: finding.severity, text: problemOf(finding), fix: finding.fix }));
  };
}
