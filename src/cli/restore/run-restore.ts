import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LuidError, messageWithoutHint } from '../../shared/errors.ts';
import type { BackupItem, LanguageData, State } from '../backup/backup-item.ts';
import { firstState, isEdited, type Plan, type Update } from './plan-restore.ts';
import { planSteps, type Step } from './plan-steps.ts';
import type { RestoreLog } from './restore-log.ts';
import type { Target, TargetItem } from './target.ts';
import { writeValues } from './write-values.ts';

interface RunRequest {
  /** Where the export is. */
  readonly folder: string;
  readonly plan: Plan;
  readonly target: Target;
  readonly log: RestoreLog;
  /** Called after each write. */
  readonly onWrite: () => void;
}

export interface RunResult {
  readonly created: number;
  readonly updated: number;
  readonly edited: readonly Update[];
  /** Items that the service rejected, and why. */
  readonly failed: readonly { readonly item: BackupItem; readonly reason: string }[];
}

/** Carries out a plan. Each write is in the log before it is sent and after its response. */
export async function runRestore({ folder, plan, target, log, onWrite }: RunRequest): Promise<RunResult> {
  const { source, links } = plan;
  const { contents, media: library } = target.client;
  /** Created without references to what was created later. */
  const incomplete = new Set<BackupItem>();
  const edited: Update[] = [];
  const failed: { item: BackupItem; reason: string }[] = [];
  let created = 0;
  let updated = 0;

  for (const [item, id] of links.adopted) {
    await log.add({ created: item, id, fingerprint: target.fingerprint(id) });
  }
  const unfinished: Update[] = [];
  for (const item of plan.creates) {
    const id = await attempt(item, () => create(item));
    links.pending.delete(item.id);
    const needsMore = incomplete.has(item) || (item.published && item.draft);
    if (id !== undefined && needsMore) unfinished.push({ item, id });
  }
  for (const one of [...plan.updates, ...unfinished]) await attempt(one.item, () => update(one));
  await log.add({ end: true });
  return { created, updated, edited, failed };

  /** An item that the service rejects does not stop the others. */
  async function attempt<T>(item: BackupItem, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!LuidError.is(error) || error.status !== 400) throw error;
      failed.push({ item, reason: messageWithoutHint(error) });
      return undefined;
    }
  }

  async function create(item: BackupItem): Promise<number> {
    const state = firstState(item);
    const needed = new Set<number>();
    const convert = () =>
      Object.entries(item[state] ?? {}).map(([lang, values]) => {
        const written = writeValues(source, item.model, values, links.toWrite(needed), () => {});
        if (!written.isComplete) incomplete.add(item);
        return [lang, written.values] as const;
      });
    convert();
    await upload(needed);
    const input = inputOf(item, state, Object.fromEntries(convert()));
    await log.add({ create: item.id });
    const { id } = await contents.create(item.model, input);
    const now = await target.readNow(id);
    await log.add({ created: item.id, id, fingerprint: now?.fingerprint ?? '' });
    links.ids.set(item.id, id);
    created += 1;
    onWrite();
    return id;
  }

  async function update({ item, id }: Update): Promise<void> {
    const current = await target.readNow(id);
    await links.learnMedia();
    const needed = new Set<number>();
    const steps = current && stepsOf(item, current, needed);
    if (!steps || isEdited(id, current.fingerprint, log, steps)) {
      edited.push({ item, id });
      return;
    }
    await upload(needed);
    for (const { method, state, languages } of stepsOf(item, current, needed)) {
      await log.add({ write: id, step: state });
      const input = inputOf(item, state, languages);
      if (method === 'replace') await contents.replace(item.model, id, input);
      else await contents.patch(item.model, id, input);
      const now = await target.readNow(id);
      await log.add({ written: id, fingerprint: now?.fingerprint ?? '' });
      onWrite();
    }
    updated += 1;
  }

  function stepsOf(item: BackupItem, current: TargetItem, needed: Set<number>): Step[] {
    const toWrite = links.toWrite(needed);
    // What cannot be written was reported with the plan.
    return planSteps({ source, item, target: target.side, current, links, toWrite, report: () => {} });
  }

  /** §4.3: the main language has no key. */
  function inputOf({ space }: BackupItem, state: State, data: LanguageData) {
    const { [target.side.languages[0] ?? '']: fields, ...languages } = data;
    const published = state === 'published';
    return { ...(fields && { fields }), languages, published, ...(space !== undefined && { space }) };
  }

  async function upload(needed: ReadonlySet<number>): Promise<void> {
    for (const id of needed) {
      const media = source.media.get(id);
      if (!media || log.uploaded.has(media.url)) continue;
      const bytes = await readFile(join(folder, media.file)).catch(() => undefined);
      if (!bytes || createHash('sha256').update(bytes).digest('hex') !== media.sha256) {
        throw new LuidError(`${media.file} in ${folder} is missing, or is not what luid export wrote`, {
          hint: 'Restore it from a copy, or run luid export again. Then run luid restore again: it continues.',
        });
      }
      await log.add({ upload: media.url });
      const { [source.languages[0] ?? '']: mainAlt = '', ...others } = media.alt;
      const isTranslated = Object.keys(others).length > 0;
      const { id: uploaded } = await library.upload(new Blob([bytes]), {
        name: media.file.split('/').at(-1) ?? 'file',
        alt: isTranslated ? { ...media.alt } : mainAlt,
      });
      await log.add({ uploaded: media.url, id: uploaded });
      onWrite();
    }
  }
}
