import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import { LuidConfigError } from '../../shared/errors.ts';
import type { Environment } from '../../space/environment/env-files.ts';
import { findSpaceFile, type ImportedSpace, importSpace, SPACE_FILES } from '../../space/space-file.ts';

const PASS_THE_SPACE = "pass the space: `import luid from 'astro-luid/integration'`, then `luid(space)`";

/** The space that `src/space.ts` exports, for sites that do not pass one to `luid()`. */
export async function findSpace(
  config: Pick<AstroConfig, 'root' | 'srcDir'>,
  environment: Environment,
): Promise<ImportedSpace> {
  const root = fileURLToPath(config.root);
  const srcDir = fileURLToPath(config.srcDir);
  const path = findSpaceFile(srcDir);
  if (!path) {
    const folder = relative(root, srcDir) || '.';
    throw new LuidConfigError(`There is no space: ${folder} has none of ${SPACE_FILES.join(', ')}`, {
      hint: `Run \`npx astro-luid init\` to write one, or ${PASS_THE_SPACE}.`,
    });
  }
  const several = `Name one of them \`space\`, or ${PASS_THE_SPACE}.`;
  return importSpace({ root, path, environment, hints: { noAstro: 'Run `npm install`.', several } });
}
