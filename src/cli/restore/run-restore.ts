import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Values } from '../../models/field-types/field-type.ts';
import { LuidError, messageWithoutHint } from '../../shared/errors.ts';
import type { BackupItem } from '../backup/backup-item.ts';
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
export class RestoreRun {
  readonly #request: RunRequest;
  /** Created without references to what was created later. */
  readonly #incomplete = new Set<BackupItem>();
  readonly #edited: Update[] = [];
  readonly #failed: { item: BackupItem; reason: string }[] = [];
  #created = 0;
  #updated = 0;

  constructor(request: RunRequest) {
    this.#request = request;
  }

  async run(): Promise<RunResult> {
    const { plan, log, target } = this.#request;
    const { links } = plan;
    for (const [item, id] of links.adopted) {
      await log.add({ created: item, id, fingerprint: target.fingerprint(id) });
    }
    const unfinished: Update[] = [];
    for (const item of plan.creates) {
      const id = await this.#attempt(item, () => this.#create(item));
      links.pending.delete(item.id);
      if (id !== undefined) unfinished.push({ item, id });
    }
    for (const update of [...plan.updates, ...unfinished.filter((one) => this.#needsMore(one))]) {
      await this.#attempt(update.item, () => this.#update(update));
    }
    await log.add({ end: true });
    const [created, updated, edited, failed] = [this.#created, this.#updated, this.#edited, this.#failed];
    return { created, updated, edited, failed };
  }

  /** An item that the service rejects does not stop the others. */
  async #attempt<T>(item: BackupItem, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!LuidError.is(error) || error.status !== 400) throw error;
      this.#failed.push({ item, reason: messageWithoutHint(error) });
      return undefined;
    }
  }

  #needsMore({ item }: Update): boolean {
    return this.#incomplete.has(item) || (item.published !== undefined && item.draft !== undefined);
  }

  async #create(item: BackupItem): Promise<number> {
    const { plan, target, log } = this.#request;
    const { source, links } = plan;
    const state = firstState(item);
    const needed = new Set<number>();
    const convert = () =>
      Object.entries(item[state] ?? {}).map(([lang, values]) => {
        const written = writeValues(source, item.model, values, links.toWrite(needed), () => {});
        if (!written.isComplete) this.#incomplete.add(item);
        return [lang, written.values] as const;
      });
    convert();
    await this.#upload(needed);
    const data = Object.fromEntries(convert());
    await log.add({ create: item.id });
    const { id } = await target.client.contents.create(item.model, {
      ...this.#input(data),
      published: state === 'published',
      ...(item.space !== undefined && { space: item.space }),
    });
    const now = await target.readNow(id);
    await log.add({ created: item.id, id, fingerprint: now?.fingerprint ?? '' });
    links.ids.set(item.id, id);
    this.#created += 1;
    this.#request.onWrite();
    return id;
  }

  async #update(update: Update): Promise<void> {
    const { target, plan, log } = this.#request;
    const current = await target.readNow(update.id);
    await plan.links.learnMedia();
    if (!current || this.#isEdited(update, current)) {
      this.#edited.push(update);
      return;
    }
    const needed = new Set<number>();
    this.#steps(update, current, needed);
    await this.#upload(needed);
    for (const step of this.#steps(update, current, needed)) {
      await log.add({ write: update.id, step: step.state });
      await this.#send(update, step);
      const now = await target.readNow(update.id);
      await log.add({ written: update.id, fingerprint: now?.fingerprint ?? '' });
      this.#request.onWrite();
    }
    this.#updated += 1;
  }

  #isEdited({ item, id }: Update, current: TargetItem): boolean {
    const steps = this.#steps({ item, id }, current, new Set());
    return isEdited(id, current.fingerprint, this.#request.log, steps);
  }

  #steps({ item }: Update, current: TargetItem, needed: Set<number>): Step[] {
    const { plan, target } = this.#request;
    const { source, links } = plan;
    const toWrite = links.toWrite(needed);
    // What cannot be written was reported with the plan.
    return planSteps({ source, item, target: target.side, current, links, toWrite, report: () => {} });
  }

  async #send({ item, id }: Update, { method, state, languages }: Step): Promise<void> {
    const { contents } = this.#request.target.client;
    const input = {
      ...this.#input(languages),
      published: state === 'published',
      ...(item.space !== undefined && { space: item.space }),
    };
    if (method === 'replace') await contents.replace(item.model, id, input);
    else await contents.patch(item.model, id, input);
  }

  /** §4.3: the main language has no key. */
  #input(data: { readonly [lang: string]: Values }) {
    const main = this.#request.target.side.languages[0] ?? '';
    const { [main]: fields, ...languages } = data;
    return { ...(fields && { fields }), languages };
  }

  async #upload(needed: ReadonlySet<number>): Promise<void> {
    const { plan, target, log, folder, onWrite } = this.#request;
    for (const id of needed) {
      const media = plan.source.media.get(id);
      if (!media || log.uploaded.has(media.url)) continue;
      const bytes = await readFile(join(folder, media.file)).catch(() => undefined);
      if (!bytes || createHash('sha256').update(bytes).digest('hex') !== media.sha256) {
        throw new LuidError(`${media.file} in ${folder} is missing, or is not what luid export wrote`, {
          hint: 'Restore it from a copy, or run luid export again. Then run luid restore again: it continues.',
        });
      }
      await log.add({ upload: media.url });
      const { [plan.source.languages[0] ?? '']: mainAlt = '', ...others } = media.alt;
      const isTranslated = Object.keys(others).length > 0;
      const { id: uploaded } = await target.client.media.upload(new Blob([bytes]), {
        name: media.file.split('/').at(-1) ?? 'file',
        alt: isTranslated ? { ...media.alt } : mainAlt,
      });
      await log.add({ uploaded: media.url, id: uploaded });
      onWrite();
    }
  }
}
