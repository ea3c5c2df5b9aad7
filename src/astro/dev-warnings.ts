import { type ConnectingSpace, connectFrom, type Environment } from './dev-environment.ts';
import { loadReports } from './dev-report.ts';

interface Logger {
  warn(message: string): void;
}

/** One key for both would show drafts wherever published content is asked for. */
export async function warnOfSameKeys(
  space: ConnectingSpace,
  environment: Environment,
  logger: Logger,
): Promise<void> {
  const keys = [false, true].map((drafts) =>
    connectFrom(space, environment, drafts)().then(
      ({ apiKey }) => apiKey,
      // A key that is missing is the loaders' to complain of, if they need it.
      () => undefined,
    ),
  );
  const [published, drafts] = await Promise.all(keys);
  if (published === undefined || published !== drafts) return;
  logger.warn(
    'The key for published content is the key for drafts: this build may show drafts. ' +
      'Give apiKey (LUID_API_KEY) a key that reads published content only.',
  );
}

/** What was built from drafts is told, for it may go online. */
export function warnOfDrafts(space: Parameters<typeof loadReports>[0], logger: Logger): void {
  const reports = loadReports(space);
  const asked = reports.filter(({ drafts }) => drafts).map(({ collection }) => collection);
  const unasked = reports.filter(({ drafts, seesDrafts }) => !drafts && seesDrafts);
  if (asked.length > 0) {
    logger.warn(`This build shows drafts in ${asked.join(', ')}, as \`drafts: true\` of the loader says.`);
  }
  if (unasked.length > 0) {
    logger.warn(
      `There are drafts in ${unasked.map(({ collection }) => collection).join(', ')}, which nobody asked for: ` +
        'give apiKey (LUID_API_KEY) a key that reads published content only, or the loader `drafts: true`.',
    );
  }
}
