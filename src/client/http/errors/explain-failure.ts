// Explains failures to developers. Bundles for browsers and edge servers contain unexplained-failure.ts instead, except
// in Vite's dev server: see `#explain-failure` in package.json.
export { hintForStatus, NOT_THE_SERVICE } from './hint-for-status.ts';
export { describeNetworkError, isNeverSent } from './network-error.ts';
