import { BadOption } from '../shared/command-options.ts';
import type { PlannedFile } from './planned-file.ts';
import { isServiceUrl } from './service-url.ts';

/** The user ended the questions. */
export class Cancelled extends Error {}

/** `add` what is new and leave the rest, write the whole file `beside` it, or `replace` it. */
export type Choice = 'keep' | 'add' | 'beside' | 'replace';

/** What `init` asks. On a terminal a person responds; elsewhere the options decide. */
export interface Questions {
  /** Whether a value that does not work can be asked for again. */
  readonly isInteractive: boolean;
  baseUrl(initial?: string): Promise<string>;
  apiKey(): Promise<string>;
  /** Which of the models that were found. */
  models(found: readonly string[]): Promise<readonly string[]>;
  /** What to do with a file that exists and differs. */
  replace(file: PlannedFile): Promise<Choice>;
  /** Whether to change a file of the user's in the way that was shown. */
  edit(file: PlannedFile): Promise<boolean>;
  /** The last question before anything is written. */
  write(paths: readonly string[]): Promise<boolean>;
}

/** With `--yes`: nothing is asked, and what is only added is added. */
export function answerFromOptions({ force }: { force: boolean }): Questions {
  const missing = (option: string, variable: string) => {
    throw new BadOption('init', `--${option} is missing, and ${variable} is not set`);
  };
  return {
    isInteractive: false,
    baseUrl: async () => missing('base-url', 'LUID_BASE_URL'),
    apiKey: async () => missing('api-key', 'LUID_API_KEY'),
    models: async (found) => found,
    replace: async ({ update }) => (force ? 'replace' : update?.hasNew ? 'add' : 'keep'),
    edit: async () => true,
    write: async () => true,
  };
}

/** Questions on the terminal, on stderr: stdout is for machines. */
export async function askOnTerminal(): Promise<Questions> {
  const { text, password, multiselect, select, confirm, isCancel } = await import('@clack/prompts');
  const output = process.stderr;
  async function answer<T>(asked: Promise<T>): Promise<Exclude<T, symbol>> {
    const given = await asked;
    if (isCancel(given)) throw new Cancelled();
    return given as Exclude<T, symbol>;
  }
  return {
    isInteractive: true,
    baseUrl: (initial) =>
      answer(
        text({
          message:
            initial === undefined ? 'URL of the service, with its version segment' : 'URL of the service',
          placeholder: 'https://…/v1',
          ...(initial !== undefined && { initialValue: initial }),
          validate: (value) =>
            isServiceUrl(value ?? '')
              ? undefined
              : 'Enter a URL such as https://…/v1, without a user name, password or query',
          output,
        }),
      ),
    apiKey: () =>
      answer(
        password({
          message: 'API key (see the key screen in the settings of the space)',
          validate: (value) => (value ? undefined : 'The key is needed to read anything'),
          output,
        }),
      ),
    models: (found) =>
      answer(
        multiselect({
          message: 'Which models does the site use?',
          options: found.map((value) => ({ value })),
          initialValues: [...found],
          output,
        }),
      ),
    replace: ({ path, update }) =>
      answer(
        select<Choice>({
          message: `${path} exists and differs`,
          options: [
            ...(update?.hasNew
              ? [{ value: 'add' as const, label: 'Add what is new, change nothing else' }]
              : []),
            { value: 'keep', label: 'Keep it as it is' },
            { value: 'beside', label: `Write ${besideOf(path)}, to compare` },
            { value: 'replace', label: 'Replace it' },
          ],
          output,
        }),
      ),
    edit: ({ path }) => answer(confirm({ message: `Change ${path} like this?`, output })),
    write: (paths) => answer(confirm({ message: `Write ${paths.join(', ')}?`, output })),
  };
}

/** `src/space.ts` → `src/space.new.ts` */
export function besideOf(path: string): string {
  return path.replace(/(\.[^./]+)?$/, '.new$1');
}
