#!/usr/bin/env node
import { LuidError } from '../errors.ts';
import { BadOption } from './options.ts';
import { fail, note } from './talk.ts';

/** Takes the arguments after its name and answers the exit code. */
type Command = (args: string[]) => Promise<number>;

/** Each command by name, loaded when it is called. */
const COMMANDS: Record<string, { about: string; load: () => Promise<Command> }> = {
  init: {
    about: 'from an address and a key to a typed, working site',
    load: async () => (await import('./init.ts')).initCommand,
  },
  check: {
    about: 'compare the declared models with the content',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  sync: {
    about: 'bring the cache up to date, outside of Astro',
    load: async () => (await import('./sync.ts')).syncCommand,
  },
  watch: {
    about: 'call a deploy hook when content has changed',
    load: async () => (await import('./watch.ts')).watchCommand,
  },
  emulator: {
    about: 'run the service on this machine, to work and test offline',
    load: async () => (await import('./emulator.ts')).emulatorCommand,
  },
};

const HELP = `luid COMMAND [OPTIONS]

${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  .join('\n')}

luid COMMAND --help tells more of each.

What a machine may read goes to stdout, talk to stderr. Exit codes:
  0    done
  1    it could not be done, or the content is not what was declared
  2    used wrongly: no such command or option
  130  ended by Ctrl-C, with nothing half written
`;

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    fail(`There is no command ${JSON.stringify(name)}.`);
    note(`\n${HELP}`);
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

process.exitCode = await main(process.argv.slice(2));
