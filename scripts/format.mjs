// npm run format [-- FILE …]: formats files, sorts their imports and applies safe fixes of the linter.
import { ended, start } from './process.mjs';

const files = process.argv.slice(3);
process.exitCode = await ended(start('biome', ['check', '--write', ...(files.length > 0 ? files : ['.'])]));
