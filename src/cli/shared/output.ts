import { localize } from '../../shared/messages/language.ts';
import { printable, printableJson } from '../../shared/printable.ts';
import { styleText } from './node-util.ts';

type Style = Parameters<typeof styleText>[0];

/** Colours a string for stderr: only on a terminal, and never when NO_COLOR is set. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stderr });
}

/** Exits with 141, as other programs do on SIGPIPE, when the reader closes the pipe: `luid help | head -1`. */
export function exitOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      process.exit(141);
    });
  }
}

/** Messages for people go to stderr, in their language; stdout is reserved for machine-readable output. */
export function logInfo(text: string): void {
  process.stderr.write(`${localize(text)}\n`);
}

export function logWarning(text: string): void {
  logInfo(`${styled('yellow', 'warning')} ${localize(text)}`);
}

export function logError(text: string): void {
  logInfo(`${styled('red', 'error')} ${localize(text)}`);
}

/** The result of the command, on stdout. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

export function printJson(value: unknown, indent = 2): void {
  print(printableJson(JSON.stringify(value, null, indent)));
}

/**
 * A table with aligned columns, coloured for the stream; the first row is the heading, in the language of the user on stderr. Numbers are right-aligned. Cells may
 * contain untrusted strings.
 */
export function table(rows: readonly (readonly (string | number)[])[], stream: NodeJS.WriteStream): string {
  const [first = [], ...body] = rows;
  const heading = stream === process.stderr ? first.map((name) => localize(String(name))) : first;
  const widths = heading.map((_, column) =>
    Math.max(...[heading, ...body].map((row) => widthOf(cell(row[column])))),
  );
  const isNumeric = heading.map(
    (_, column) => body.length > 0 && body.every((row) => typeof row[column] === 'number'),
  );
  const line = (row: readonly (string | number)[]) =>
    row
      .map((value, column) => {
        const padding = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell(value))));
        return isNumeric[column] ? padding + cell(value) : cell(value) + padding;
      })
      .join('  ')
      .trimEnd();
  const bold = styleText('bold', line(heading), { stream });
  return [bold, ...body.map(line)].join('\n');
}

function cell(value: string | number | undefined): string {
  return typeof value === 'number' ? value.toLocaleString('en') : printable(value ?? '');
}

/** Terminal columns that a string occupies: East Asian characters occupy two. */
function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
