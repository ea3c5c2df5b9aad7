/**
 * `fetch` from a service that sends every id as a string, as fixtures of public clients show it. No field type is a
 * number (§2.2), so every number in content is an id.
 */
export function fetchStringIds(real: typeof fetch = fetch): typeof fetch {
  return async (...request) => {
    const response = await real(...request);
    const json = (await response.json()) as { data?: unknown };
    const changed = json.data ? { ...json, data: withStrings(json.data) } : withStrings(json);
    const { status, headers } = response;
    return Response.json(changed, { status, headers: { 'x-cache': headers.get('x-cache') ?? '' } });
  };
}

function withStrings(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === 'number' ? String(inner) : inner)));
}
