import type { Sanitizer } from '../../entries/sanitize/item-sanitizer.ts';
import type { SpaceCore } from '../../space/space.ts';
import type { CollectionImages } from './collection-images.ts';
import type { LoaderPlan } from './loader-options.ts';

/** Increase it when equal text is rendered to other HTML or headings; otherwise stored entries are not updated. */
const RENDERER_VERSION = 1;

/** Equal as long as equal items become equal data and HTML. */
export function dataFingerprint(
  {
    models,
    settings,
  }: Pick<SpaceCore, 'models'> & { readonly settings: Pick<SpaceCore['settings'], 'strict'> },
  plan: Pick<LoaderPlan, 'dataFingerprint'>,
  images: Pick<CollectionImages, 'fingerprint'> | undefined,
  sanitizer: Pick<Sanitizer, 'fingerprint'> | undefined,
): string {
  const tools = `${RENDERER_VERSION} ${images?.fingerprint} ${sanitizer?.fingerprint}`;
  return `${JSON.stringify(models)} ${settings.strict} ${plan.dataFingerprint} ${tools}`;
}
