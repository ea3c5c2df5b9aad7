/** A text as JavaScript source, in single quotes. */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}

/** A property's name in an object literal. `__proto__` would be no property, if it were not computed. */
export function propertyName(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return /^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name);
}

/** How a property is read: `.title`, `['3d']`. */
export function propertyAccess(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? `.${name}` : `[${quoted(name)}]`;
}
