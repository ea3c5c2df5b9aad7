import { LuidConfigError } from '../../shared/errors.ts';
import { type ContentScope, scopeKey } from '../../space/content-scope.ts';
import { connectFrom, type Environment } from '../../space/environment/env-files.ts';
import { headsFingerprint } from '../../space/heads-fingerprint.ts';
import type { ConnectedSpace } from '../../space/space.ts';
import { collectionStatuses } from '../collection-status.ts';

/** A fingerprint of the newest content of everything that was loaded; published content if nothing was. */
export async function loadedFingerprint(
  space: ConnectedSpace,
  environment: Environment,
  options: { readonly bypassCdn?: boolean } = {},
): Promise<string> {
  const fingerprintOf = ({ drafts, lang }: ContentScope) =>
    headsFingerprint(space, connectFrom(space, environment, drafts), lang, options);
  const scopes = loadedScopes(space);
  if (scopes.length > 0) return (await Promise.all(scopes.map(fingerprintOf))).join(' ');
  try {
    return await fingerprintOf({ drafts: false, lang: undefined });
  } catch (error) {
    // Only the key for drafts may be set.
    if (!LuidConfigError.is(error)) throw error;
    return fingerprintOf({ drafts: true, lang: undefined }).catch(() => {
      throw error;
    });
  }
}

/** In the same order for the same scopes. */
function loadedScopes(space: ConnectedSpace): ContentScope[] {
  const scopes = collectionStatuses(space).flatMap(({ drafts, langs = [undefined] }) =>
    langs.map((lang) => ({ drafts, lang })),
  );
  const byKey = new Map(scopes.map((scope) => [scopeKey(scope), scope]));
  return [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? []);
}
