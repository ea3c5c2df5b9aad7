import type { Sanitizer } from '../../entries/sanitize/item-sanitizer.ts';
import type { SpaceCore } from '../../space/space.ts';
import type { CollectionImages } from './collection-images.ts';
import type { LoaderPlan } from './loader-options.ts';

/** Equal as long as equal items become equal data and HTML. */
export function dataFingerprint(
  {
    models,
    settings,
  }: Pick<SpaceCore, 'models'> & { readonly settings: Pick<SpaceCore['settings'], 'strict'> },
  plan: Pick<LoaderPlan, 'fingerprint'>,
  images: Pick<CollectionImages, 'fingerprint'> | undefined,
  sanitizer: Pick<Sanitizer, 'fingerprint'> | undefined,
): string {
  const tools = `${images?.fingerprint} ${sanitizer?.fingerprint}`;
  return `${JSON.stringify(models)} ${settings.strict} ${plan.fingerprint} ${tools}`;
}
