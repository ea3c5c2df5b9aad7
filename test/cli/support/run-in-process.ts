import { initCommand } from '../../../src/cli/init/init-command.ts';
import { LuidError } from '../../../src/shared/errors.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export const runInit = (args: readonly string[], env?: Record<string, string>) =>
  runCommand('init', initCommand, args, env);

/** Runs a command in this process, as main.ts would, with nothing of a space in the environment. */
export async function runCommand(
  name: string,
  command: (args: string[]) => Promise<number>,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const { stdout, stderr, env: original } = process;
  const written = { stdout: '', stderr: '' };
  const { LUID_SERVICE, LUID_BASE_URL, LUID_API_KEY, LUID_API_KEY_HEADER, LUID_ASSETS_URL, ...rest } =
    original;
  const writes = [stdout.write, stderr.write] as const;
  process.env = { ...rest, NO_COLOR: '1', ...env };
  const into = (name: 'stdout' | 'stderr') => (text: unknown) => {
    written[name] += String(text);
    return true;
  };
  stdout.write = into('stdout') as typeof stdout.write;
  stderr.write = into('stderr') as typeof stderr.write;
  try {
    const code = await command([...args]);
    return { code, ...written };
  } catch (error) {
    if (!LuidError.is(error)) throw error;
    return { code: 1, stdout: written.stdout, stderr: `${written.stderr}luid ${name}: ${error.message}\n` };
  } finally {
    [stdout.write, stderr.write] = writes;
    process.env = original;
  }
}
