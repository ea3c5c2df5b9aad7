import { type ConnectingSpace, connectFrom, type Environment } from '../../space/env-files.ts';
import { sameKeyFindings } from '../loader/same-keys.ts';
import { loadReports } from './load-reports.ts';

interface Logger {
  warn(message: string): void;
}

type ReportedSpace = ConnectingSpace & Parameters<typeof loadReports>[0];

/** One key for both kinds may show drafts where published content is wanted, on live pages too. */
export async function warnOfSameKeys(
  space: ReportedSpace,
  environment: Environment,
  logger: Logger,
): Promise<void> {
  // The loaders of the site have warned already, where there are any.
  if (loadReports(space).some(({ warnedOfDrafts }) => warnedOfDrafts)) return;
  const connect = ({ drafts = false } = {}) => connectFrom(space, environment, drafts);
  for (const { line } of await sameKeyFindings({ connect })) logger.warn(line);
}

/** A build with drafts may be published: it says so at its end. Drafts that were not asked for are the loaders' to report. */
export function warnOfDrafts(space: Parameters<typeof loadReports>[0], logger: Logger): void {
  const collections = loadReports(space).flatMap(({ drafts, collection }) => (drafts ? [collection] : []));
  if (collections.length === 0) return;
  logger.warn(`This build shows drafts in ${collections.join(', ')}: their loaders have \`drafts: true\`.`);
}
