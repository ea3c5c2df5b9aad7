import { LuidConfigError } from '../../shared/errors.ts';
import { type ContentView, viewKey } from '../../space/content-view.ts';
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
  const fingerprintOf = ({ drafts, lang }: ContentView) =>
    headsFingerprint(space, connectFrom(space, environment, drafts), lang, options);
  const views = loadedViews(space);
  if (views.length > 0) return (await Promise.all(views.map(fingerprintOf))).join(' ');
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

/** In the same order for the same views. */
function loadedViews(space: ConnectedSpace): ContentView[] {
  const views = collectionStatuses(space).flatMap(({ drafts, langs = [undefined] }) =>
    langs.map((lang) => ({ drafts, lang })),
  );
  const byKey = new Map(views.map((view) => [viewKey(view), view]));
  return [...byKey.keys()].sort().flatMap((key) => byKey.get(key) ?? []);
}
