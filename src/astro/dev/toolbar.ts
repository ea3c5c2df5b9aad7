import type { HookParameters } from 'astro';
import { isLuid } from '../../contract/luid.ts';
import { type CollectionStatus, collectionStatuses } from '../collection-status.ts';
import {
  type EditMessage,
  type FindingsMessage,
  MESSAGES,
  type PageFindings,
  type RequestMessage,
  type StatusMessage,
} from './toolbar-messages.ts';

/**
 * Where an entry is edited: a URL with `{model}` and `{id}` in it, or a function. A page names its entry
 * with `<meta name="luid-entry" content="article:101">`.
 */
export type EditUrl = string | ((entry: { model: string; id: number }) => string);

export interface ToolbarOptions {
  readonly toolbar: Pick<HookParameters<'astro:server:setup'>['toolbar'], 'on' | 'send'>;
  readonly space: Parameters<typeof collectionStatuses>[0];
  readonly editUrl: EditUrl | undefined;
  /** What is wrong with an item. */
  readonly findings: PageFindings;
  readonly refresh: () => Promise<void>;
}

/** The dev server's side of the toolbar app. Returns a function that shows the progress of a refresh there. */
export function serveToolbar({ toolbar, space, editUrl, findings, refresh }: ToolbarOptions) {
  let refreshing = false;
  let refreshedAt = 0;
  let error: string | undefined;

  function sendStatus(): void {
    const statuses = collectionStatuses(space);
    const lastSync = Math.max(refreshedAt, ...statuses.map(({ loadedAt }) => loadedAt));
    const reads = readsOf(statuses);
    toolbar.send<StatusMessage>(MESSAGES.status, {
      collections: statuses.map(({ collection, model, entries }) => ({ name: collection, model, entries })),
      refreshing,
      ...(reads && { reads }),
      ...(lastSync > 0 && { lastSync }),
      ...(error !== undefined && { error }),
    });
  }

  toolbar.on<RequestMessage | undefined>(MESSAGES.request, (message) => {
    sendStatus();
    const edit = editLink(message?.entry, editUrl);
    if (edit) toolbar.send<EditMessage>(MESSAGES.edit, edit);
    const entry = parseEntry(message?.entry);
    if (!entry) return;
    void findings(entry.id).then((found) => {
      toolbar.send<FindingsMessage>(MESSAGES.findings, { entry: String(message?.entry), findings: found });
    });
  });
  toolbar.on(MESSAGES.refresh, () => {
    refresh().catch(() => {
      // The status message has the error.
    });
  });

  return (state: 'running' | 'done' | Error): void => {
    refreshing = state === 'running';
    if (state === 'done') refreshedAt = Date.now();
    error = state instanceof Error ? state.message : undefined;
    sendStatus();
  };
}

function readsOf(statuses: readonly CollectionStatus[]): StatusMessage['reads'] {
  const [first] = statuses;
  if (!first) return undefined;
  if (statuses.some(({ drafts }) => drafts !== first.drafts)) return 'published and drafts';
  return first.drafts ? 'drafts' : 'published';
}

/** The edit link of the entry that a page names; `undefined` if it names none, or if there is no `editUrl`. */
export function editLink(entry: unknown, editUrl: EditUrl | undefined): EditMessage | undefined {
  const { model, id } = parseEntry(entry) ?? {};
  if (!editUrl || model === undefined || id === undefined) return undefined;
  const url =
    typeof editUrl === 'function'
      ? editUrl({ model, id })
      : editUrl.replaceAll('{model}', model).replaceAll('{id}', String(id));
  return /^https?:\/\//i.test(url) ? { entry: String(entry), url } : undefined;
}

/** `article:101` */
function parseEntry(entry: unknown): { model: string; id: number } | undefined {
  const [, model, digits] = /^([a-z0-9_]+):([1-9]\d*)$/.exec(String(entry)) ?? [];
  const id = Number(digits);
  return isLuid(model) && Number.isSafeInteger(id) ? { model, id } : undefined;
}
