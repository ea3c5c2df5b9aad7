import { isRecord } from '../../shared/is-record.ts';

const NAMES = ['model', '_model', 'model_luid', 'modelLuid'];
const MAX_DEPTH = 3;

/** The model that the JSON body of an event names, wherever its template has it; `undefined` if it cannot be recognized. */
export function announcedModel(body: string): string | undefined {
  try {
    return findModel(JSON.parse(body), MAX_DEPTH);
  } catch {
    return undefined;
  }
}

function findModel(value: unknown, depth: number): string | undefined {
  if (!isRecord(value) || depth === 0) return undefined;
  const name = NAMES.map((key) => value[key]).find((one) => typeof one === 'string' && one !== '');
  if (name !== undefined) return name as string;
  for (const nested of Object.values(value)) {
    const found = findModel(nested, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
