import type { DevToolbarApp } from 'astro';
import {
  type EditMessage,
  type FindingsMessage,
  MESSAGES,
  type RequestMessage,
  type StatusMessage,
} from './toolbar-messages.ts';

/** The age of the last sync is updated this often while the window is open. */
const UPDATE_INTERVAL = 1000;

/**
 * The toolbar app: what is loaded and since when, a button to refresh it, and a link to the page's entry in the
 * CMS. The page names its entry with `<meta name="luid-entry" content="article:101">`.
 */
const app: DevToolbarApp = {
  init(canvas, target, server) {
    const elements = render(canvas);
    let status: StatusMessage = { collections: [], refreshing: false };
    let findings: FindingsMessage['findings'] = [];

    const requestStatus = () => {
      elements.edit.hidden = true;
      findings = [];
      drawFindings(elements, findings);
      server.send<RequestMessage>(MESSAGES.request, entryOfPage());
    };
    const draw = () => drawStatus(elements, status);
    const notify = () => {
      const hasError = status.error !== undefined || findings.some(({ severity }) => severity === 'error');
      const level = hasError ? 'error' : findings.length > 0 ? 'warning' : undefined;
      target.toggleNotification(level ? { state: true, level } : { state: false });
    };

    server.on<StatusMessage>(MESSAGES.status, (message) => {
      status = message;
      notify();
      draw();
    });
    server.on<EditMessage>(MESSAGES.edit, ({ entry, url }) => {
      if (entry !== entryOfPage().entry) return;
      elements.edit.href = url;
      elements.edit.textContent = `Edit ${entry} in the CMS`;
      elements.edit.hidden = false;
    });
    server.on<FindingsMessage>(MESSAGES.findings, (message) => {
      if (message.entry !== entryOfPage().entry) return;
      findings = message.findings;
      drawFindings(elements, findings);
      notify();
    });
    elements.refresh.addEventListener('click', () => server.send(MESSAGES.refresh, {}));

    let timer: ReturnType<typeof setInterval> | undefined;
    target.onToggled(({ state }) => {
      clearInterval(timer);
      if (!state) return;
      requestStatus();
      timer = setInterval(draw, UPDATE_INTERVAL);
    });
    // With view transitions, the page changes but the toolbar does not.
    document.addEventListener('astro:page-load', requestStatus);
    requestStatus();
  },
};
export default app;

function entryOfPage(): RequestMessage {
  const entry = document.querySelector('meta[name="luid-entry"]')?.getAttribute('content')?.trim();
  return entry ? { entry } : {};
}

interface Elements {
  readonly summary: HTMLElement;
  readonly error: HTMLElement;
  readonly list: HTMLElement;
  readonly findings: HTMLElement;
  readonly refresh: HTMLElement;
  readonly edit: HTMLAnchorElement;
}

const STYLE = `
  h1 { margin: 0 0 8px; font-size: 18px; color: #fff; }
  p { margin: 0 0 12px; }
  table { border-collapse: collapse; margin: 0 0 16px; width: 100%; }
  td { padding: 2px 0; }
  td:last-child { text-align: right; font-variant-numeric: tabular-nums; }
  ul { margin: 0 0 16px; padding: 0 0 0 18px; max-height: 40vh; overflow: auto; }
  li.error::marker { color: #ff9d9d; }
  small { display: block; opacity: 0.8; }
  footer { display: flex; gap: 16px; align-items: center; }
  a { color: #c3b4ff; }
  [hidden] { display: none; }
  .error { color: #ff9d9d; white-space: pre-wrap; }
`;

function render(canvas: ShadowRoot): Elements {
  const create = <K extends keyof HTMLElementTagNameMap>(tag: K, parent: Node, text = '') => {
    const element = document.createElement(tag);
    element.textContent = text;
    parent.appendChild(element);
    return element;
  };
  const pane = create('astro-dev-toolbar-window', canvas);
  create('style', pane, STYLE);
  create('h1', pane, 'Content');
  const summary = create('p', pane);
  const error = create('p', pane);
  error.className = 'error';
  const list = create('table', pane);
  const findings = create('ul', pane);
  const footer = create('footer', pane);
  const refresh = create('astro-dev-toolbar-button', footer, 'Refresh now');
  const edit = create('a', footer);
  edit.target = '_blank';
  edit.rel = 'noopener noreferrer';
  edit.hidden = true;
  return { summary, error, list, findings, refresh, edit };
}

/** What the collections contain, in the words of the summary. */
const READS = {
  published: 'Published content',
  drafts: 'Drafts',
  'published and drafts': 'Published content and drafts',
};

function drawStatus(elements: Elements, status: StatusMessage): void {
  const { collections, reads, lastSync, refreshing, error } = status;
  const when = lastSync === undefined ? 'not synced yet' : `last sync ${ago(Date.now() - lastSync)}`;
  elements.summary.textContent = [reads && READS[reads], refreshing ? 'refreshing…' : when]
    .filter(Boolean)
    .join(' · ');
  elements.error.textContent = error ?? '';
  elements.error.hidden = error === undefined;
  elements.list.replaceChildren(
    ...collections.map(({ name, model, entries }) => {
      const row = document.createElement('tr');
      for (const text of [name === model ? name : `${name} (${model})`, String(entries)]) {
        row.appendChild(document.createElement('td')).textContent = text;
      }
      return row;
    }),
  );
}

/** Texts are content: they are set as text, never as HTML. */
function drawFindings(elements: Elements, findings: FindingsMessage['findings']): void {
  elements.findings.hidden = findings.length === 0;
  elements.findings.replaceChildren(
    ...findings.map(({ severity, text, fix }) => {
      const row = document.createElement('li');
      row.className = severity;
      row.textContent = text;
      row.appendChild(document.createElement('small')).textContent = fix;
      return row;
    }),
  );
}

function ago(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  return `${Math.round(seconds / 3600)} h ago`;
}
