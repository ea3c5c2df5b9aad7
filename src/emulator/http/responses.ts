export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' } as const;

interface ResponseHead {
  readonly status: number;
  readonly headers: Record<string, string>;
}

/** A JSON response with a content length. */
export function jsonResponse(value: unknown, { status, headers }: ResponseHead): Response {
  return textResponse(JSON.stringify(value), { status, headers: { ...JSON_HEADERS, ...headers } });
}

export function textResponse(text: string, head: ResponseHead): Response {
  return bytesResponse(new TextEncoder().encode(text), head);
}

const bodies = new WeakMap<Response, Uint8Array>();

/** The body of a response that was created here, without reading it as a stream. */
export function knownBytes(response: Response): Uint8Array | undefined {
  return bodies.get(response);
}

/** Statuses for which `Response` accepts no body. */
const NO_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/** A response with a content length, whose body `knownBytes` returns. */
export function bytesResponse(bytes: Uint8Array<ArrayBuffer>, { status, headers }: ResponseHead): Response {
  const body = NO_BODY_STATUSES.has(status) ? null : bytes;
  const response = new Response(body, {
    status,
    headers: { ...headers, 'content-length': String(bytes.byteLength) },
  });
  if (body) bodies.set(response, body);
  return response;
}
