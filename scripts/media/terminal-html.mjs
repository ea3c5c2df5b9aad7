/** The 16 colors of the terminal's palette. */
const PALETTE = [
  '#3b4252',
  '#f07178',
  '#a6d189',
  '#e5c07b',
  '#82aaff',
  '#c792ea',
  '#7fd4e0',
  '#d8dee9',
  '#7b88a1',
  '#ff8b92',
  '#b9e39c',
  '#f0d398',
  '#9cbcff',
  '#d6abf2',
  '#9be3ec',
  '#ffffff',
];
const BACKGROUND = '#1b1f2a';
const FOREGROUND = '#d8dee9';
const ESCAPE = '\u001b';
/** A change of style, or a character. */
const STYLED = new RegExp(`${ESCAPE}\\[([\\d;:]*)m|([^${ESCAPE}])`, 'gu');
const PLAIN = { bold: false, dim: false, italic: false, underline: false, inverse: false, strike: false };

/** Lines with escape sequences as HTML, with a cursor. */
export function terminalHtml({ lines, cursor }) {
  let style = PLAIN;
  return lines
    .map((line, row) => {
      let html = '';
      let column = 0;
      for (const [, codes, character] of line.matchAll(STYLED)) {
        if (character === undefined) {
          style = changeStyle(style, codes);
          continue;
        }
        const isCursor = cursor?.row === row && cursor.column === column;
        html += span(character, style, isCursor);
        column += isWide(character) ? 2 : 1;
      }
      if (cursor?.row === row && cursor.column >= column)
        html += ' '.repeat(cursor.column - column) + span(' ', PLAIN, true);
      return html;
    })
    .join('\n');
}

function span(character, style, isCursor) {
  const escaped = character.replace(/[&<>]/, (one) => `&#${one.codePointAt(0)};`);
  if (style === PLAIN && !isCursor) return escaped;
  let { color = FOREGROUND, background = 'transparent' } = style;
  if (style.inverse) [color, background] = [background === 'transparent' ? BACKGROUND : background, color];
  if (isCursor) [color, background] = [BACKGROUND, FOREGROUND];
  const lines = [style.underline && 'underline', style.strike && 'line-through'].filter(Boolean).join(' ');
  const css = [
    `color:${color}`,
    background !== 'transparent' && `background:${background}`,
    style.bold && 'font-weight:bold',
    style.dim && !isCursor && 'opacity:.6',
    style.italic && 'font-style:italic',
    lines && `text-decoration:${lines}`,
  ];
  return `<span style="${css.filter(Boolean).join(';')}">${escaped}</span>`;
}

/** Select Graphic Rendition: https://en.wikipedia.org/wiki/ANSI_escape_code#SGR */
function changeStyle(before, codes) {
  const numbers = codes.split(/[;:]/).map(Number);
  let style = before;
  while (numbers.length > 0) {
    const code = numbers.shift();
    if (code === 0) style = PLAIN;
    else if (code === 1) style = { ...style, bold: true };
    else if (code === 2) style = { ...style, dim: true };
    else if (code === 3) style = { ...style, italic: true };
    else if (code === 4) style = { ...style, underline: true };
    else if (code === 7) style = { ...style, inverse: true };
    else if (code === 9) style = { ...style, strike: true };
    else if (code === 22) style = { ...style, bold: false, dim: false };
    else if (code === 23) style = { ...style, italic: false };
    else if (code === 24) style = { ...style, underline: false };
    else if (code === 27) style = { ...style, inverse: false };
    else if (code === 29) style = { ...style, strike: false };
    else if (code === 38) style = { ...style, color: extendedColor(numbers) };
    else if (code === 48) style = { ...style, background: extendedColor(numbers) };
    else if (code === 39) style = { ...style, color: undefined };
    else if (code === 49) style = { ...style, background: undefined };
    else if (code >= 30 && code <= 37) style = { ...style, color: PALETTE[code - 30] };
    else if (code >= 40 && code <= 47) style = { ...style, background: PALETTE[code - 40] };
    else if (code >= 90 && code <= 97) style = { ...style, color: PALETTE[code - 82] };
    else if (code >= 100 && code <= 107) style = { ...style, background: PALETTE[code - 92] };
  }
  return style;
}

function extendedColor(numbers) {
  if (numbers.shift() === 2) return `rgb(${numbers.splice(0, 3).join(' ')})`;
  const index = numbers.shift();
  if (index < 16) return PALETTE[index];
  if (index >= 232)
    return `rgb(${Array(3)
      .fill(8 + (index - 232) * 10)
      .join(' ')})`;
  const level = (value) => (value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level).join(' ')})`;
}

function isWide(character) {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/.test(
    character,
  );
}
