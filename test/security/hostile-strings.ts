/** Strings that terminals or CI logs interpret, or that make a line look like another one. */
export const HOSTILE_STRINGS: readonly string[] = [
  // Escape sequences: clear the screen, set the window title, write to the clipboard, add a link; C1 controls.
  '\u001b[2J\u001b[H',
  '\u001b]0;title\u0007',
  '\u001b]52;c;ZXZpbA==\u001b\\',
  '\u001b]8;;https://evil.example\u001b\\link\u001b]8;;\u001b\\',
  '\u009b31m\u009d0;x\u009c\u0090q\u0085',
  // Overwrite or delete earlier text, ring the bell.
  '\rok\b\b\u0007\u007f\u0000\v\f',
  // Every kind of line break, followed by a command of GitHub, Azure or GitLab.
  '::error::x',
  '  ::set-env name=A::b',
  'a\n::error file=a.ts::x\n::add-mask::y\r\n::stop-commands::z',
  'a\u2028::error::x\u2029::warning::y\u0085::notice::z',
  '##vso[task.setvariable variable=a]b',
  'a ##[error]b\n##[group]c',
  'section_start:1560896352:x\r\u001b[0Ky',
  // Reorder or hide characters.
  '\u202egpj.exe\u202c\u202a\u202b\u202d',
  '\u2066a\u2067b\u2068c\u2069\u200e\u200f\u061c',
  '\ufeffa',
  // Lone surrogates.
  'a\ud800b\udc00',
];

/** All of them in one string. */
export const HOSTILE = HOSTILE_STRINGS.join(' ');

/** Finds parts that are not harmless plain text for a terminal, a CI log or a reader. */
export function findHarm(text: string): string[] {
  const controls = text.match(
    /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu,
  );
  return [
    ...(controls ?? [])
      .filter((character) => character !== '\n')
      .map((character) => JSON.stringify(character)),
    ...(text.match(/^\s*::.*$/gm) ?? []),
    ...(text.match(/##(vso)?\[.*$/gim) ?? []),
  ];
}
