import type { LoaderContext } from 'astro/loaders';
import { subLanguagesOf } from '../../entries/language-content.ts';
import type { Replica } from '../../replica/replica.ts';
import { sharedSync } from '../../space/shared-sync.ts';
import type { RunningSpace } from '../../space/space.ts';
import type { LoaderPlan } from './loader-options.ts';

/** The replicas that a collection is made of. */
export interface LanguageReplicas {
  readonly main: Replica;
  /** By language key; empty if the collection does not use languages. */
  readonly sub: ReadonlyMap<string, Replica>;
}

/** Syncs every language that a collection needs. */
export async function syncLanguages(
  space: RunningSpace,
  plan: LoaderPlan,
  context: LoaderContext,
): Promise<LanguageReplicas> {
  const sync = (lang: string | undefined) => sharedSync(space, { drafts: plan.drafts, lang }, context);
  const langs = subLanguagesOf(space, plan.rule);
  const [main, ...subs] = await Promise.all([sync(undefined), ...langs.map(sync)]);
  return { main, sub: new Map(subs.map((replica, index) => [langs[index] as string, replica])) };
}

export function allReplicas({ main, sub }: LanguageReplicas): Replica[] {
  return [main, ...sub.values()];
}
