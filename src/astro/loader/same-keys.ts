import type { Connect } from '../../client/http/connection.ts';
import type { ContentWarning } from '../../entries/problems/content-warning.ts';

/** What both warnings about drafts are: one of them is enough. */
export const DRAFTS = 'drafts';

export const USE_ANOTHER_KEY =
  'Set LUID_API_KEY (`apiKey`) to a key that reads published content only, or the loader to `drafts: true`';

/** One key for both kinds: drafts may be in published content, also where none was seen. */
export async function sameKeyFindings(space: {
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
      key: DRAFTS,
      line: `LUID_API_KEY (\`apiKey\`) and LUID_DRAFT_API_KEY (\`draftApiKey\`) are the same key, which reads drafts: they may be in published pages. ${USE_ANOTHER_KEY}`,
    },
  ];
}
