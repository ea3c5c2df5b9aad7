#!/usr/bin/env node
import { LuidError } from '../shared/errors.ts';
import { localize } from '../shared/messages/language.ts';
import { loadLanguage } from '../shared/messages/load-language.ts';
import { PACKAGE_VERSION } from '../shared/package-version.ts';
import { printable } from '../shared/printable.ts';
import { didYouMean } from '../shared/suggest.ts';
import { UsageError } from './shared/command.ts';
import { endProcess } from './shared/end-process.ts';
import { exitOnClosedPipe, logError, logInfo, print } from './shared/output.ts';

/** Takes the arguments after the command name and returns the exit code. */
type Command = (args: string[]) => Promise<number>;

/** Commands by name; each is imported only when it runs. */
const COMMANDS: Record<string, { about: string; load: () => Promise<Command> }> = {
  init: {
    about: 'set up a typed site from a service and an API key',
    load: async () => (await import('./init/init-command.ts')).initCommand,
  },
  check: {
    about: 'compare the declared models with the content',
    load: async () => (await import('./check/check-command.ts')).checkCommand,
  },
  doctor: {
    about: 'compare the service with what this package assumes about it',
    load: async () => (await import('./doctor/doctor-command.ts')).doctorCommand,
  },
  sync: {
    about: 'update the content cache without running Astro',
    load: async () => (await import('./sync/sync-command.ts')).syncCommand,
  },
  'audit-build': {
    about: 'find pages that incremental builds leave old',
    load: async () => (await import('./audit-build/audit-build-command.ts')).auditBuildCommand,
  },
  lint: {
    about: 'find mistakes in the content',
    load: async () => (await import('./lint/lint-command.ts')).lintCommand,
  },
  redirects: {
    about: 'record the URLs of the content, so that former ones are redirected',
    load: async () => (await import('./redirects/redirects-command.ts')).redirectsCommand,
  },
  watch: {
    about: 'call a deploy hook when content changes',
    load: async () => (await import('./watch/watch-command.ts')).watchCommand,
  },
  export: {
    about: 'write the content of a space and its media into a folder',
    load: async () => (await import('./export/export-command.ts')).exportCommand,
  },
  diff: {
    about: 'compare exports and spaces, item by item and field by field',
    load: async () => (await import('./diff/diff-command.ts')).diffCommand,
  },
  restore: {
    about: 'write an export back into its space, or into another one',
    load: async () => (await import('./restore/restore-command.ts')).restoreCommand,
  },
  emulator: {
    about: 'run the service locally, for offline work and tests',
    load: async () => (await import('./emulator/emulator-command.ts')).emulatorCommand,
  },
};

const HELP = `Usage: luid COMMAND [OPTIONS]

${Object.entries(COMMANDS)
  .map(([name, { about }]) => `  ${name.padEnd(11)} ${about}`)
  .join('\n')}

Run "luid help COMMAND" for the options of a command, "luid --version" for the version.

Machine-readable output goes to stdout, everything else to stderr. Exit codes:
  0    success
  1    failure, or the content does not match the declared models, or a page stays old,
       or (doctor) the service differs from an assumption, or (lint) there are errors,
       or (diff) the sides differ
  2    unknown command or option, or (audit-build) the site cannot be copied or built,
       or (diff) a side cannot be read
  130  stopped by Ctrl-C; 143 by SIGTERM (luid watch: 0; luid emulator: 0 for both). No file is left half-written.
  141  the output is not read any more, as after luid … | head -1
`;

async function main([name, ...args]: string[]): Promise<number> {
  if (name === undefined) {
    logInfo(HELP.trimEnd());
    return 2;
  }
  if (['--version', '-v', '-V', 'version'].includes(name)) {
    print(PACKAGE_VERSION);
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
    logError(`unknown command ${printable(JSON.stringify(name))}${didYouMean(name, names)}`);
    logInfo(`\n${HELP.trimEnd()}`);
    return 2;
  }
  try {
    return await (await command.load())(args);
  } catch (error) {
    if (error instanceof UsageError) {
      logInfo(error.message);
      return 2;
    }
    if (!LuidError.is(error)) throw error;
    logInfo(`luid ${name}: ${localize(error.message)}`);
    return 1;
  }
}

exitOnClosedPipe();
await loadLanguage();
process.exitCode = await main(process.argv.slice(2));
endProcess();
