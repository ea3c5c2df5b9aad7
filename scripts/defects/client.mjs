/** Tests that name what they check. */
export const NAMED_TESTS = [
  'test/cli/init/git.test.ts',
  'test/client/http/',
  'test/entries/sanitize/sanitize-markdown.test.ts',
  'test/images/dimensions/image-measurer.test.ts',
  'test/replica/read/source.test.ts',
];
export const RANDOM_TESTS = [];

const SEND = 'client/http/send-request.ts';
const GIT = 'cli/shared/run-git.ts';
const MARKDOWN = 'entries/sanitize/sanitize-markdown.ts';

/** Defects of requests, and of what the machine of a developer is protected from, as edits of files in src. */
export const DEFECTS = {
  'client: a 429 uses up a retry': [[SEND, '=> !isRateLimited(error)', '=> error !== undefined']],
  'client: a 429 after the last retry is an error': [
    [SEND, '?? DEFAULT_RETRIES) + 1', '?? DEFAULT_RETRIES)'],
    [SEND, 'retriesLeft === 1', 'retriesLeft === 0'],
  ],
  'client: a 429 is waited for without end': [[SEND, 'if (isRateLimited(error)) refusals += 1;', '']],
  'client: p-retry waits on the clock of the system': [[SEND, '    minTimeout: 0,\n', '']],
  'client: retries that are shared are not counted': [[SEND, ' || !takeRetry(request.budget)', '']],
  'client: assets are retried on the clock of the system': [
    ['images/assets/asset-reader.ts', '    minTimeout: 0,\n', ''],
  ],
  'client: a host whose name begins with localhost is this machine': [
    ['client/http/warn-about-http.ts', '|\\[::1\\])$/', '|\\[::1\\])/'],
  ],
  'init: git starts the monitor of a repository': [[GIT, "'-c', 'core.fsmonitor=false', ", '']],
  'init: git fetches what a partial clone lacks': [[GIT, "GIT_ALLOW_PROTOCOL: 'none'", '']],
  'sanitize: a backslash escapes a tag in Markdown': [
    [MARKDOWN, ".data('settings', { handlers: { root: writeRoot } })", ''],
  ],
  'sanitize: a backslash before a tag is lost': [[MARKDOWN, '/\\\\?<|\\\\./gs', '/\\\\?</gs']],
};
