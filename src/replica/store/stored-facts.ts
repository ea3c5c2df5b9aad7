import type { ModelMap } from '../../models/types.ts';
import { decodeFacts, type ItemFacts } from './facts-format.ts';
import type { Manifest } from './manifest.ts';
import type { ReadSegment } from './model-table.ts';
import { bodyText, hashOf, type Segment } from './segments.ts';
import { storedModelKey } from './stored-model-key.ts';

/** Facts about the items of stored segments, by the hash of the segment. */
export type FactsBySegment = ReadonlyMap<string, ItemFacts>;

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
  if (body === undefined || hashOf(body) !== stored.hash) return new Map();
  const segments = segmentsOf(models, manifest);
  const facts = decodeFacts(
    bodyText(body),
    segments.map(({ count }) => count),
  );
  return new Map(facts?.map((one, index) => [(segments[index] as Segment).hash, one]));
}

/** Facts are stored in this order. */
function segmentsOf(models: ModelMap, manifest: Manifest): Segment[] {
  return Object.keys(models).flatMap((model) => [
    ...(manifest.models[storedModelKey(models, model)]?.segments ?? []),
  ]);
}

/** With other models, other fields are links. */
export function mapFingerprint(models: ModelMap): string {
  return hashOf(JSON.stringify(models)).slice(0, 16);
}
