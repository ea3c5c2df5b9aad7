import { LuidConfigError } from '../../errors.ts';
import { type ContentView, viewKey } from '../../space/content-view.ts';
import type { Environment } from '../../space/env-files.ts';
import { headsFingerprint } from '../../space/heads-fingerprint.ts';
import type { ConnectedSpace } from '../../space/space.ts';
import { collectionStatuses } from '../collection-status.ts';

/** A fingerprint of the newest content of everything that was loaded; published content if nothing was. */
export async function loadedFingerprint(space: ConnectedSpace, environment: Environment): Promise<string> {
  const views = loadedViews(space);
  if (views.length > 0) return headsFingerprint(space, environment, views);
  try {
    return await headsFingerprint(space, environment, [{ drafts: false, lang: undefined }]);
  } catch (error) {
    // Only the key for drafts may be set.
    if (!LuidConfigError.is(error)) throw error;
    return headsFingerprint(space, environment, [{ drafts: true, lang: undefined }]).catch(() => {
      throw error;
    });
  }
}

function loadedViews(space: ConnectedSpace): ContentView[] {
  const views = new Map<string, ContentView>();
  for (const { drafts, langs = [undefined] } of collectionStatuses(space)) {
    for (const lang of langs) views.set(viewKey({ drafts, lang }), { drafts, lang });
  }
  return [...views.keys()].sort().flatMap((key) => views.get(key) ?? []);
}
