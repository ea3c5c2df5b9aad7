import type { Sanitizer } from '../../../entries/sanitize/item-sanitizer.ts';
import type { SpaceCore } from '../../../space/space.ts';
import type { CollectionSettings } from '../options/loader-options.ts';
import type { CollectionImages } from './collection-images.ts';

/** Increase it when equal text is rendered to other HTML or headings; otherwise stored entries are not updated. */
const ENTRY_VERSION = 1;

/** Equal as long as equal items become equal data and HTML. */
export function dataFingerprint(
  space: Pick<SpaceCore, 'models'> & { readonly settings: Pick<SpaceCore['settings'], 'strict'> },
  settings: Pick<CollectionSettings, 'dataFingerprint'>,
  images: Pick<CollectionImages, 'fingerprint'> | undefined,
  sanitizer: Pick<Sanitizer, 'fingerprint'> | undefined,
): string {
  const tools = `${ENTRY_VERSION} ${images?.fingerprint} ${sanitizer?.fingerprint}`;
  return `${JSON.stringify(space.models)} ${space.settings.strict} ${settings.dataFingerprint} ${tools}`;
}
