import { LuidError } from '../../shared/errors.ts';
import type { Manifest, Selection } from '../backup/manifest.ts';

/** Throws if this run would remove what an earlier one is requested: content of another space, model or language. */
export function checkSameExport(
  before: Manifest,
  source: Manifest['source'],
  selection: Selection,
  folder: string,
): void {
  const hint = 'Export into another folder, or remove this one first.';
  const [was, is] = [before.source, source];
  if (was.baseUrl !== is.baseUrl || was.space !== is.space) {
    const place = [was.baseUrl, was.space].filter(Boolean).join(', space ');
    throw new LuidError(`${folder} has an export of another space: ${place}`, { hint });
  }
  const lost = lostOption(before.selection, selection);
  if (lost === undefined) return;
  throw new LuidError(`${folder} has an export with more than this run would keep there: ${lost}`, {
    hint: `Pass the same options as before. ${hint}`,
  });
}

function lostOption(before: Selection, now: Selection): string | undefined {
  if (before.drafts && !now.drafts) return 'drafts';
  if (before.media && !now.media) return 'media';
  for (const name of ['models', 'langs'] as const) {
    const [had, has] = [before[name], now[name]];
    if (has === null) continue;
    const lost = had === null ? `all ${name}` : had.find((one) => !has.includes(one));
    if (lost !== undefined) return lost;
  }
  return undefined;
}
