import type { Connect } from '../../client/http/connection.ts';
import type { ContentWarning } from '../../entries/problems/content-warning.ts';

/** The key of both warnings about drafts, so that only one of them is logged. */
export const DRAFTS_WARNING = 'drafts';

export const USE_ANOTHER_KEY =
  'Set LUID_API_KEY (`apiKey`) to a key that reads published content only, or the loader to `drafts: true`';

/** A warning if one key is set for both kinds: published pages may contain drafts, even if none was seen. */
export async function sharedKeyWarnings(space: {
  connect(options: { drafts: boolean }): Connect;
}): Promise<ContentWarning[]> {
  const keys = [false, true].map((drafts) =>
    space
      .connect({ drafts })()
      .then(
        ({ apiKey }) => apiKey,
        // A missing key is reported by the loader that needs it.
        () => undefined,
      ),
  );
  const [published, drafts] = await Promise.all(keys);
  if (published === undefined || published !== drafts) return [];
  return [
    {
      key: DRAFTS_WARNING,
      line: `LUID_API_KEY (\`apiKey\`) and LUID_DRAFT_API_KEY (\`draftApiKey\`) are the same key, which reads drafts: published pages may contain them. ${USE_ANOTHER_KEY}`,
    },
  ];
}
