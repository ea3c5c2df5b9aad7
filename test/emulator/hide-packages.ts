import { registerHooks } from 'node:module';

/**
 * Loaded before a program, hides the packages that the variables name: as if they were not installed, or
 * as bundlers do it that put an empty module in the place of a missing package.
 */
const list = (variable: string) => (process.env[variable] ?? '').split(',');
const hidden = list('HIDDEN_PACKAGES');
const emptied = list('EMPTIED_PACKAGES');

registerHooks({
  resolve(specifier, context, next) {
    if (emptied.includes(specifier))
      return { url: 'data:text/javascript,export default {}', shortCircuit: true };
    if (!hidden.includes(specifier)) return next(specifier, context);
    throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
