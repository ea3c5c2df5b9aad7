#!/usr/bin/env node
import { styleText } from 'node:util';

/** Each command by name, loaded when it is called. */
const COMMANDS: Record<string, { about: string; load: () => Promise<(args: string[]) => Promise<number>> }> =
  {
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
`;

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h') {
    process.stdout.write(HELP);
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    process.stderr.write(`${styleText('red', `There is no command ${JSON.stringify(name)}.`)}\n\n${HELP}`);
    return 2;
  }
  return (await command.load())(args);
}

process.exitCode = await main(process.argv.slice(2));
