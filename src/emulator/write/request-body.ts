import { isDeeper } from '../../contract/nesting.ts';
import { isRecord } from '../../shared/is-record.ts';
import { badRequest } from '../http/http-error.ts';

/** Deeper JSON is a 400, so that code can walk values recursively. */
const MAX_DEPTH = 100;

/** Reads the body of a request. Throws a 400 as soon as it is longer than `maxBytes`. */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw badRequest();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read().catch(() => {
      throw badRequest();
    });
    if (done) break;
    length += value.byteLength;
    if (length > maxBytes) {
      await reader.cancel();
      throw badRequest();
    }
    chunks.push(value);
  }
  return new Uint8Array(Buffer.concat(chunks, length));
}

/** Reads a body that must be a JSON object. */
export async function readJsonObject(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  const value = parse(await readBody(request, maxBytes));
  if (!isRecord(value) || isDeeper(value, MAX_DEPTH)) throw badRequest();
  return value;
}

/** Reads a body that must be multipart/form-data. */
export async function readForm(request: Request, maxBytes: number): Promise<FormData> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) throw badRequest();
  const bytes = await readBody(request, maxBytes);
  return new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => {
    throw badRequest();
  });
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw badRequest();
  }
}
