import { registerHooks } from 'node:module';

/** Loaded before a program, hides the packages that the variable names: as if they were not installed. */
const hidden = (process.env.HIDDEN_PACKAGES ?? '').split(',');

registerHooks({
  resolve(specifier, context, next) {
    if (!hidden.includes(specifier)) return next(specifier, context);
    throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' });
  },
});
