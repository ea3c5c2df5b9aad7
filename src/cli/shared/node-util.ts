// An import of `node:util` loads all that it exports, and takes longer than `luid --version` does.
export const { parseArgs, styleText } = process.getBuiltinModule('node:util');
