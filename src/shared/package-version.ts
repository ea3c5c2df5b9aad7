/** The version of this package: `npm version` writes it here. */
export const PACKAGE_VERSION = '0.1.0';
