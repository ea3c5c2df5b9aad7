import { basename } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * The mode that Astro reads `.env` files for. Hooks do not have it, and the integration needs their variables before
 * Vite is started, so `--mode` is read from the command line of Astro.
 */
export function commandMode(command: string, argv: readonly string[] = process.argv): string {
  const byDefault = command === 'dev' ? 'development' : 'production';
  // `astro sync` ignores it.
  if (command === 'sync' || !isAstro(argv[1])) return byDefault;
  const { values } = parseArgs({
    args: argv.slice(2),
    options: { mode: { type: 'string' } },
    strict: false,
  });
  return typeof values.mode === 'string' ? values.mode : byDefault;
}

/** The options of other programs that use Astro may mean something else. */
function isAstro(program = ''): boolean {
  return /^astro(\.m?js)?$/.test(basename(program));
}
