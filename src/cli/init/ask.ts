import type { PlannedFile } from './plan.ts';

/** The user ended the questions. */
export class Cancelled extends Error {}

/** What `init` asks. On a terminal a person answers; elsewhere the options have. */
export interface Questions {
  access(known: { baseUrl?: string | undefined; apiKey?: string | undefined }): Promise<{
    baseUrl: string;
    apiKey: string;
  }>;
  /** Which of the models that were found. */
  models(found: readonly string[]): Promise<readonly string[]>;
  /** What to do with a file that is there and says something else. */
  replace(file: PlannedFile): Promise<'keep' | 'replace' | 'beside'>;
  /** The last word before anything is written. */
  write(paths: readonly string[]): Promise<boolean>;
}

/** Questions on the terminal. They are talk: stdout stays for machines. */
export async function askOnTerminal(): Promise<Questions> {
  const { text, password, multiselect, select, confirm, isCancel } = await import('@clack/prompts');
  const output = process.stderr;
  async function answer<T>(asked: Promise<T>): Promise<Exclude<T, symbol>> {
    const given = await asked;
    if (isCancel(given)) throw new Cancelled();
    return given as Exclude<T, symbol>;
  }
  return {
    async access({ baseUrl, apiKey }) {
      const address =
        baseUrl ??
        (await answer(
          text({
            message: 'The address of the service, with its version segment',
            placeholder: 'https://…/v1',
            validate: (value) => (isAddress(value) ? undefined : 'An address such as https://…/v1'),
            output,
          }),
        ));
      const key =
        apiKey ??
        (await answer(
          password({
            message: 'The API key, from the key screen of the space’s settings',
            validate: (value) => (value ? undefined : 'The key is needed to read anything'),
            output,
          }),
        ));
      return { baseUrl: address.trim(), apiKey: key.trim() };
    },
    models: (found) =>
      answer(
        multiselect({
          message: 'Which models does the site use?',
          options: found.map((value) => ({ value })),
          initialValues: [...found],
          output,
        }),
      ),
    replace: ({ path }) =>
      answer(
        select({
          message: `${path} is there and differs`,
          options: [
            { value: 'keep', label: 'Keep it as it is' },
            { value: 'beside', label: `Write ${besideOf(path)}, to compare` },
            { value: 'replace', label: 'Replace it' },
          ],
          output,
        }),
      ),
    write: (paths) => answer(confirm({ message: `Write ${paths.join(', ')}?`, output })),
  };
}

function isAddress(value: string | undefined): boolean {
  return value !== undefined && URL.canParse(value.trim()) && /^https?:/.test(value.trim());
}

/** `src/space.ts` → `src/space.new.ts` */
export function besideOf(path: string): string {
  return path.replace(/(\.[^./]+)?$/, '.new$1');
}
