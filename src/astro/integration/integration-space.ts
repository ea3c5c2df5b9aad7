import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroConfig } from 'astro';
import { LuidConfigError } from '../../errors.ts';
import type { Environment } from '../../space/env-files.ts';
import { findSpaceFile, type ImportedSpace, importSpace, SPACE_FILES } from '../../space/space-file.ts';

const PASS_IT = "pass the space: `import luid from 'astro-luid/integration'`, then `luid(space)`";

/** The space of a site whose configuration names none: what `src/space.ts` exports. */
export async function findSpace(
  config: Pick<AstroConfig, 'root' | 'srcDir'>,
  environment: Environment,
): Promise<ImportedSpace> {
  const root = fileURLToPath(config.root);
  const sources = fileURLToPath(config.srcDir);
  const path = findSpaceFile(sources);
  if (!path) {
    const folder = relative(root, sources) || '.';
    throw new LuidConfigError(`There is no space: ${folder} has none of ${SPACE_FILES.join(', ')}`, {
      hint: `Run \`npx astro-luid init\` to write one, or ${PASS_IT}.`,
    });
  }
  const several = `Name one of them \`space\`, or ${PASS_IT}.`;
  return importSpace({ root, path, environment, hints: { noAstro: 'Run `npm install`.', several } });
}
