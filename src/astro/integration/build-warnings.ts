import type { Logger } from '../../shared/logger.ts';
import { connectFrom, type Environment } from '../../space/environment/env-files.ts';
import type { ConnectedSpace } from '../../space/space.ts';
import { collectionStatuses } from '../collection-status.ts';
import { sharedKeyWarnings } from '../loader/shared-key.ts';

type WarnLogger = Pick<Logger, 'warn'>;

/** Warns if one key is set for published content and for drafts: live pages may show drafts too. */
export async function warnAboutSharedKey(
  space: ConnectedSpace,
  environment: Environment,
  logger: WarnLogger,
): Promise<void> {
  // The loaders of the site have warned already, if it has any.
  if (collectionStatuses(space).some(({ warnedOfDrafts }) => warnedOfDrafts)) return;
  const connect = ({ drafts = false } = {}) => connectFrom(space, environment, drafts);
  for (const { line } of await sharedKeyWarnings({ connect })) logger.warn(line);
}

/** Warns at the end of a build about collections with `drafts: true`: the site may be about to be published. */
export function warnAboutDrafts(space: ConnectedSpace, logger: WarnLogger): void {
  const collections = collectionStatuses(space).flatMap(({ drafts, collection }) =>
    drafts ? [collection] : [],
  );
  if (collections.length === 0) return;
  logger.warn(`This build shows drafts in ${collections.join(', ')}: their loaders have \`drafts: true\`.`);
}
