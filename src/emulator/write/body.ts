import { isDeeper } from '../../contract/nesting.ts';
import { isRecord } from '../../models/field-types/field-type.ts';
import { badRequest } from '../http/refusal.ts';

/** Deeper JSON is refused, so that whatever walks a value can recurse. */
const DEEPEST = 100;

/** The body of a request; one that is longer is refused as soon as that is known. */
async function readBody(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get('content-length') ?? 0) > most) throw badRequest();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read().catch(() => {
      throw badRequest();
    });
    if (done) break;
    length += value.byteLength;
    if (length > most) {
      await reader.cancel();
      throw badRequest();
    }
    chunks.push(value);
  }
  return new Uint8Array(Buffer.concat(chunks, length));
}

/** The JSON object that the body of a request holds. */
export async function readObject(request: Request, most: number): Promise<Record<string, unknown>> {
  const value = parse(await readBody(request, most));
  if (!isRecord(value) || isDeeper(value, DEEPEST)) throw badRequest();
  return value;
}

/** The parts of a request in multipart/form-data. */
export async function readForm(request: Request, most: number): Promise<FormData> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type)) throw badRequest();
  const bytes = await readBody(request, most);
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
