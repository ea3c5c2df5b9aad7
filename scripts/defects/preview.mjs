/** Tests that name what they check. */
export const NAMED_TESTS = ['test/astro/preview/', 'test/space/options.test.ts'];
export const RANDOM_TESTS = [];

const PREVIEW = 'astro/preview';

/** Defects that let a link, a text, a cookie or a secret do what only editors may, as edits of files in src. */
export const DEFECTS = {
  'preview: tabs and line breaks are part of a path': [[`${PREVIEW}/preview-paths.ts`, '|\\p{Cc}/u', '/u']],
  'preview: a path is decoded once': [[`${PREVIEW}/preview-paths.ts`, 'times <= MAX_ENCODINGS', 'times < 1']],
  'preview: the path is the one that Astro has normalized': [
    [`${PREVIEW}/preview-paths.ts`, 'if (!isSitePath(new URL(request.url).pathname)) return undefined;', ''],
  ],
  'preview: forms are sent where the path of the page leads': [
    [`${PREVIEW}/bar-assets.ts`, 'if (parseOnSite(action)) form', 'form'],
  ],
  'preview: any element can be the bar': [
    [`${PREVIEW}/bar-assets.ts`, "[data-luid-preview] > script')?.parentElement", "[data-luid-preview]')"],
  ],
  'preview: the hash of the refresh endpoint signs cookies': [
    [`${PREVIEW}/preview-token.ts`, 'PURPOSE} ${secret', 'secret'],
  ],
  'preview: a cookie is valid however long it lasts': [
    [`${PREVIEW}/preview-token.ts`, 'CLOCK_DIFFERENCE = 60_000', 'CLOCK_DIFFERENCE = Infinity'],
  ],
  'preview: every secret is the right one': [
    [`${PREVIEW}/preview-cookie.ts`, 'return isValid ? token : undefined', 'return token'],
  ],
  'preview: the cookie is not secure behind a proxy': [
    [`${PREVIEW}/preview-cookie.ts`, ' || isForwardedHttps(request)', ''],
  ],
  'preview: a secret of 15 characters is long enough': [
    ['space/environment/secret-length.ts', 'MIN_LENGTH = 16', 'MIN_LENGTH = 15'],
  ],
  'preview: a HEAD request opens a stream': [
    [`${PREVIEW}/preview-endpoints.ts`, " || request.method === 'HEAD'", ''],
  ],
};
