import type { HookParameters } from 'astro';
import { isLuid } from '../../contract/luid.ts';
import { type LoadReport, loadReports } from './load-reports.ts';
import { type AskMessage, type EditMessage, MESSAGES, type StatusMessage } from './toolbar-messages.ts';

/**
 * Where an entry is edited: an address with `{model}` and `{id}` in it, or a function. A page names its
 * entry by `<meta name="luid-entry" content="article:101">`.
 */
export type EditUrl = string | ((entry: { model: string; id: number }) => string);

export interface ToolbarOptions {
  readonly toolbar: Pick<HookParameters<'astro:server:setup'>['toolbar'], 'on' | 'send'>;
  readonly space: Parameters<typeof loadReports>[0];
  readonly editUrl: EditUrl | undefined;
  readonly refresh: () => Promise<void>;
}

/** The dev server's side of the toolbar app. Gives a function that tells the app how a refresh went. */
export function serveToolbar({ toolbar, space, editUrl, refresh }: ToolbarOptions) {
  let refreshing = false;
  let refreshedAt = 0;
  let problem: string | undefined;

  function send(): void {
    const reports = loadReports(space);
    const lastSync = Math.max(refreshedAt, ...reports.map(({ at }) => at));
    const reads = readsOf(reports);
    toolbar.send<StatusMessage>(MESSAGES.status, {
      collections: reports.map(({ collection, model, entries }) => ({ name: collection, model, entries })),
      refreshing,
      ...(reads && { reads }),
      ...(lastSync > 0 && { lastSync }),
      ...(problem !== undefined && { problem }),
    });
  }

  toolbar.on<AskMessage | undefined>(MESSAGES.ask, (message) => {
    send();
    const edit = editOf(message?.entry, editUrl);
    if (edit) toolbar.send<EditMessage>(MESSAGES.edit, edit);
  });
  toolbar.on(MESSAGES.refresh, () => {
    refresh().catch(() => {
      // Told by `status` below, to whoever asked.
    });
  });

  return (state: 'begins' | 'done' | Error): void => {
    refreshing = state === 'begins';
    if (state === 'done') refreshedAt = Date.now();
    problem = state instanceof Error ? state.message : undefined;
    send();
  };
}

function readsOf(reports: readonly LoadReport[]): StatusMessage['reads'] {
  const [first] = reports;
  if (!first) return undefined;
  if (reports.some(({ drafts }) => drafts !== first.drafts)) return 'published and drafts';
  return first.drafts ? 'drafts' : 'published';
}

/** The entry that a page names, if it names one and there is a place to edit it. */
export function editOf(entry: unknown, editUrl: EditUrl | undefined): EditMessage | undefined {
  const [, model, digits] = /^([a-z0-9_]+):([1-9]\d*)$/.exec(String(entry)) ?? [];
  const id = Number(digits);
  if (!editUrl || !isLuid(model) || !Number.isSafeInteger(id)) return undefined;
  const url =
    typeof editUrl === 'function'
      ? editUrl({ model, id })
      : editUrl.replaceAll('{model}', model).replaceAll('{id}', String(id));
  return /^https?:\/\//i.test(url) ? { entry: String(entry), url } : undefined;
}
