import { SERVICE_NAMES, SERVICES, type ServiceName } from '../../contract/services.ts';
import { localize } from '../../shared/messages/language.ts';
import { UsageError } from '../shared/command.ts';
import type { PlannedFile } from './plan/planned-file.ts';
import { isServiceUrl } from './service-url.ts';

/** The user cancelled a prompt. */
export class CancelledError extends Error {}

/** What to do with a file that differs: `add` only what is new, write a `copy` next to it, or `replace` it. */
export type ExistingFileChoice = 'keep' | 'add' | 'copy' | 'replace';

/** The decisions of `init`. On a terminal the user makes them; otherwise the options do. */
export interface Prompts {
  /** Whether a value that does not work can be prompted for again. */
  readonly isInteractive: boolean;
  /** The service; `undefined` for another one, by its URL. */
  service(): Promise<ServiceName | undefined>;
  baseUrl(initial?: string): Promise<string>;
  apiKey(): Promise<string>;
  /** Which of the found models to use. */
  models(found: readonly string[]): Promise<readonly string[]>;
  /** What to do with a file that exists and differs. */
  replace(file: PlannedFile): Promise<ExistingFileChoice>;
  /** Whether to apply the change that was printed to a file of the user. */
  edit(file: PlannedFile): Promise<boolean>;
  /** The final confirmation before files are written. */
  write(paths: readonly string[]): Promise<boolean>;
}

/** For `--yes`: no prompts; additions are made, and files that differ are kept unless `force` is set. */
export function answerWithDefaults({ force }: { force: boolean }): Prompts {
  const missing = (options: string, variables: string) => {
    throw new UsageError('init', `${options} is required (or set ${variables})`);
  };
  return {
    isInteractive: false,
    service: async () => undefined,
    baseUrl: async () => missing('--service or --base-url', 'LUID_SERVICE or LUID_BASE_URL'),
    apiKey: async () => missing('--api-key', 'LUID_API_KEY'),
    models: async (found) => found,
    replace: async ({ update }) => (force ? 'replace' : update?.hasNew ? 'add' : 'keep'),
    edit: async () => true,
    write: async () => true,
  };
}

/** Prompts on stderr: stdout is for machine-readable output. */
export async function terminalPrompts(): Promise<Prompts> {
  const { text, password, multiselect, select, confirm, isCancel } = await import('@clack/prompts');
  const output = process.stderr;
  const yesOrNo = { active: localize('Yes'), inactive: localize('No') };
  async function answer<T>(prompt: Promise<T>): Promise<Exclude<T, symbol>> {
    const given = await prompt;
    if (isCancel(given)) throw new CancelledError();
    return given as Exclude<T, symbol>;
  }
  return {
    isInteractive: true,
    service: () =>
      answer(
        select<ServiceName | undefined>({
          message: localize('Which service?'),
          // Otherwise the option without a value is the first choice.
          initialValue: SERVICE_NAMES[0],
          options: [
            ...SERVICE_NAMES.map((value) => ({ value, label: SERVICES[value].name })),
            { value: undefined, label: localize('Another URL, such as that of the emulator') },
          ],
          output,
        }),
      ),
    baseUrl: (initial) =>
      answer(
        text({
          message: localize(
            initial === undefined
              ? 'URL of the service, including the version segment'
              : 'URL of the service',
          ),
          placeholder: 'https://…/v1',
          ...(initial !== undefined && { initialValue: initial }),
          validate: (value) =>
            isServiceUrl(value ?? '')
              ? undefined
              : localize('Enter a URL such as https://…/v1, without user name, password or query'),
          output,
        }),
      ),
    apiKey: () =>
      answer(
        password({
          message: localize('API key (from the settings of the space)'),
          validate: (value) => (value ? undefined : localize('An API key is required')),
          output,
        }),
      ),
    models: (found) =>
      answer(
        multiselect({
          message: localize('Which models does the site use?'),
          options: found.map((value) => ({ value })),
          initialValues: [...found],
          output,
        }),
      ),
    replace: (file) =>
      answer(
        select<ExistingFileChoice>({
          message: localize(`${file.path} exists and differs`),
          options: existingFileChoices(file).map(({ value, label }) => ({ value, label: localize(label) })),
          output,
        }),
      ),
    edit: ({ path }) =>
      answer(confirm({ message: localize(`Apply this change to ${path}?`), ...yesOrNo, output })),
    write: (paths) =>
      answer(confirm({ message: localize(`Write ${paths.join(', ')}?`), ...yesOrNo, output })),
  };
}

/** What can be done with a file that differs. */
export function existingFileChoices({
  path,
  update,
  secret,
}: PlannedFile): { value: ExistingFileChoice; label: string }[] {
  return [
    ...(update?.hasNew ? [{ value: 'add' as const, label: 'Add only what is new' }] : []),
    { value: 'keep', label: 'Keep the existing file' },
    // No pattern in .gitignore would match the copy of a secret.
    ...(secret ? [] : [{ value: 'copy' as const, label: `Write ${pathForNewCopy(path)} to compare` }]),
    { value: 'replace', label: 'Replace the existing file' },
  ];
}

/** `src/space.ts` → `src/space.new.ts` */
export function pathForNewCopy(path: string): string {
  return path.replace(/(\.[^./]+)?$/, '.new$1');
}
