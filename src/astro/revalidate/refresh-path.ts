/** Where a site is told to look for changes now. */
export const REFRESH_PATH = '/_luid/refresh';
