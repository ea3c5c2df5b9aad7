/** A text as the elements of a form have it: browsers convert every line break to LF. */
export function toFormText(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

/**
 * A text after it was edited in an element. What was not edited keeps its line breaks; new ones are like the others in
 * the text, or `usual` if there are none.
 */
export function fromFormText(before: string, entered: string, usual: '\n' | '\r\n'): string {
  const added = before.includes('\r\n') ? '\r\n' : before.includes('\n') ? '\n' : usual;
  if (added === '\n' && !before.includes('\r')) return entered;
  // One element per character of the form's text.
  const old = before.match(/\r\n|[\s\S]/g) ?? [];
  const isSame = (oldAt: number, enteredAt: number) => toFormText(old[oldAt] ?? '') === entered[enteredAt];
  const shorter = Math.min(old.length, entered.length);
  let start = 0;
  while (start < shorter && isSame(start, start)) start++;
  let end = 0;
  while (end < shorter - start && isSame(old.length - 1 - end, entered.length - 1 - end)) end++;
  const edited = entered.slice(start, entered.length - end).replaceAll('\n', added);
  return old.slice(0, start).join('') + edited + old.slice(old.length - end).join('');
}
