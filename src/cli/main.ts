#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { LuidError } from '../errors.ts';
import { printable } from '../printable.ts';
import { didYouMean } from '../suggest.ts';
import { BadOption } from './shared/command-options.ts';
import { fail, note, print } from './shared/output.ts';

/** Takes the arguments after its name and returns the exit code. */
type Command = (args: string[]) => Promise<number>;

/** Each command by name, loaded when it is called. */
const COMMANDS: Record<string, { about: string; load: () => Promise<Command> }> = {
  init: {
    about: 'from a URL and a key to a typed, working site',
    load: async () => (await import('./init/init-command.ts')).initCommand,
  },
  check: {
    about: 'compare the declared models with the content',
    load: async () => (await import('./check/check-command.ts')).checkCommand,
  },
  sync: {
    about: 'bring the cache up to date, outside of Astro',
    load: async () => (await import('./sync/sync-command.ts')).syncCommand,
  },
  watch: {
    about: 'call a deploy hook when content has changed',
    load: async () => (await import('./watch/watch-command.ts')).watchCommand,
  },
  emulator: {
    about: 'run the service on this machine, to work and test offline',
    load: async () => (await import('./emulator/emulator-command.ts')).emulatorCommand,
  },
};

const HELP = `luid COMMAND [OPTIONS]

${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  .join('\n')}

luid help COMMAND shows the options of a command, luid --version the version.

Output for machines is on stdout, everything else on stderr. Exit codes:
  0    done
  1    it could not be done, or the content differs from the declared models
  2    wrong usage: unknown command or option
  130  ended by Ctrl-C, 143 by SIGTERM (luid watch: 0); no file is left half written
`;

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined) {
    note(HELP.trimEnd());
    return 2;
  }
  if (['--version', '-v', '-V', 'version'].includes(name)) {
    print(version());
    return 0;
  }
  if (['--help', '-h', 'help'].includes(name)) {
    const [topic] = args;
    if (topic !== undefined && topic !== 'help' && !topic.startsWith('-')) return run(topic, ['--help']);
    print(HELP);
    return 0;
  }
  return run(name, args);
}

async function run(name: string, args: string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    const names = [...Object.keys(COMMANDS), 'help', '--help', '--version'];
    fail(`unknown command ${printable(JSON.stringify(name))}${didYouMean(name, names)}`);
    note(`\n${HELP.trimEnd()}`);
    return 2;
  }
  try {
    return await (await command.load())(args);
  } catch (error) {
    if (error instanceof BadOption) note(error.message);
    else if (LuidError.is(error)) note(`luid ${name}: ${error.message}`);
    else throw error;
    return error instanceof BadOption ? 2 : 1;
  }
}

/** Of this package: the file is in the same place beside src/ and beside dist/. */
function version(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

process.exitCode = await main(process.argv.slice(2));
