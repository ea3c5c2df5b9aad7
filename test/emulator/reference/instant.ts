/** §4.1: ISO 8601 extended format, with a numeric offset or Z. */
const FORM = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Milliseconds, or `undefined` if the text is no time, or names a day or an hour that does not exist. */
export function toInstant(text: string): number | undefined {
  if (!FORM.test(text) || Number.isNaN(Date.parse(text))) return undefined;
  const clockFace = text.slice(0, 19);
  const exists = new Date(`${clockFace}Z`).toISOString().slice(0, 19) === clockFace;
  return exists ? Date.parse(text) : undefined;
}

/** §2.1: ISO 8601, UTC; whole seconds. */
export function toWireTime(text: string): string {
  return `${new Date(text).toISOString().slice(0, 19)}Z`;
}
