import type { ModelMap } from '../../../models/types.ts';
import { hashText } from '../../../shared/hash-text.ts';
import type { ReadSegment } from '../../content/segment-items.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { storedModel } from '../manifest/stored-models.ts';
import { decodeFacts, type FactsBySegment, type ItemFacts } from './facts-format.ts';
import type { Segment } from './segments.ts';

/** Reads the facts that a manifest refers to, when they are first needed. None if they are damaged or of other models. */
export function openFacts(
  models: ModelMap,
  manifest: Manifest,
  readSegment: ReadSegment,
): () => Promise<FactsBySegment> {
  let reading: Promise<FactsBySegment> | undefined;
  return () => {
    reading ??= readFacts(models, manifest, readSegment);
    return reading;
  };
}

async function readFacts(
  models: ModelMap,
  manifest: Manifest,
  readSegment: ReadSegment,
): Promise<FactsBySegment> {
  const { facts: stored } = manifest;
  if (stored?.models !== mapFingerprint(models)) return new Map();
  const body = await readSegment(stored.hash);
  if (body === undefined) return new Map();
  // Facts are stored in this order.
  const segments = Object.keys(models).flatMap(
    (model) => storedModel(models, manifest, model)?.segments ?? [],
  );
  const facts = decodeFacts(
    typeof body === 'string' ? body : new TextDecoder().decode(body),
    segments.map(({ count }) => count),
  );
  const found = segments.flatMap((segment, index) => {
    const own = facts?.[index];
    return own && isOf(own, segment) ? [[segment.hash, own] as const] : [];
  });
  return new Map(found);
}

function isOf({ ids }: ItemFacts, { first, last }: Segment): boolean {
  return ids[0] === first.id && ids.at(-1) === last.id;
}

/** With other models, other fields are links, and with another order, other segments come first. */
export function mapFingerprint(models: ModelMap): string {
  return hashText(JSON.stringify(models)).slice(0, 16);
}
