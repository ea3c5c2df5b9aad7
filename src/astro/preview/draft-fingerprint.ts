import { hashOf } from '../../replica/store/segments/segments.ts';
import { headsFingerprint } from '../../space/heads-fingerprint.ts';
import type { ConnectedSpace } from '../../space/space.ts';
import type { ReadFingerprint } from './draft-watch.ts';

/**
 * A fingerprint of the newest drafts, and a name for them. The name is equal if the same drafts are requested: a dev
 * server evaluates the file of a space again after each change, and must not watch the same drafts twice.
 */
export async function draftFingerprint(
  space: ConnectedSpace,
  lang: string | undefined,
): Promise<{ readonly name: string; readonly read: ReadFingerprint }> {
  const connect = space.connect({ drafts: true, onRequest: true });
  const { baseUrl, apiKey } = await connect();
  return {
    name: JSON.stringify([baseUrl, hashOf(apiKey), space.settings.space, lang, space.models]),
    read: () => headsFingerprint(space, connect, lang),
  };
}
