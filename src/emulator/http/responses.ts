export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' } as const;

/** A JSON response with a content length. */
export function jsonResponse(
  value: unknown,
  init: { status: number; headers: Record<string, string> },
): Response {
  return bytesResponse(new TextEncoder().encode(JSON.stringify(value)), init);
}

const bodies = new WeakMap<Response, Uint8Array>();

/** The body of a response that was created here, without reading it as a stream. */
export function knownBytes(response: Response): Uint8Array | undefined {
  return bodies.get(response);
}

/** Statuses for which `Response` accepts no body. */
const NO_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/** A response with a content length, whose body `knownBytes` returns. */
export function bytesResponse(
  bytes: Uint8Array<ArrayBuffer>,
  init: { status: number; headers: Record<string, string> },
): Response {
  const body = NO_BODY_STATUSES.has(init.status) ? null : bytes;
  const response = new Response(body, {
    status: init.status,
    headers: { ...init.headers, 'content-length': String(bytes.byteLength) },
  });
  if (body) bodies.set(response, body);
  return response;
}
