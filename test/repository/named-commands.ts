import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Commands of npm itself. */
const OWN_COMMANDS = new Set(['ci', 'install', 'pack', 'publish', 'run', 'view']);

/** Scripts of package.json and files of scripts/ that a text names and that do not exist. */
export function unknownCommands(
  text: string,
  scripts: Readonly<Record<string, string>>,
  root: string,
): string[] {
  const named = [
    ...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g),
    // Without `run`, only where code begins: `npm` is a word of sentences too.
    ...[...text.matchAll(/(?:^|`|\brun: )npm ([a-z][\w:-]*)/gm)].filter(
      ([, name = '']) => !OWN_COMMANDS.has(name),
    ),
  ].map(([, name = '']) => name);
  const jobs = [...text.matchAll(/\bscripts\/run\.mjs ([a-z][a-z-]*)/g)].map(
    ([, job]) => `scripts/${job}.mjs`,
  );
  const files = [...text.matchAll(/\bscripts\/[\w/-]+\.(?:mjs|json)\b/g)].map(([file]) => file);
  return [
    ...named.filter((name) => !Object.hasOwn(scripts, name)).map((name) => `npm run ${name}`),
    ...[...jobs, ...files].filter((file) => !existsSync(join(root, file))),
  ];
}
