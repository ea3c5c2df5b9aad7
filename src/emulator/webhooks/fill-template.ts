/** What a template can contain, by name. */
export type TemplateValues = Readonly<Record<string, string | number>>;

/** Replaces `{{name}}` in the strings of a JSON value. A string that is nothing else becomes the value itself. */
export function fillTemplate(template: unknown, values: TemplateValues): unknown {
  if (typeof template === 'string') return fillString(template, values);
  if (Array.isArray(template)) return template.map((one) => fillTemplate(one, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, value]) => [key, fillTemplate(value, values)]),
  );
}

function fillString(template: string, values: TemplateValues): string | number {
  const name = /^\{\{(\w+)\}\}$/.exec(template)?.[1];
  if (name !== undefined && Object.hasOwn(values, name)) return values[name] as string | number;
  return template.replaceAll(/\{\{(\w+)\}\}/g, (placeholder, key: string) =>
    Object.hasOwn(values, key) ? String(values[key]) : placeholder,
  );
}
