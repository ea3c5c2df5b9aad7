import type { DevToolbarApp } from 'astro';
import { type AskMessage, type EditMessage, MESSAGES, type StatusMessage } from './toolbar-messages.ts';

/** How long ago the last sync was is written anew this often while the window is open. */
const TICK = 1000;

/**
 * The toolbar app: what is loaded, since when, a button that loads it again, and the way to the page's
 * entry in the CMS. The page names its entry by `<meta name="luid-entry" content="article:101">`.
 */
const app: DevToolbarApp = {
  init(canvas, target, server) {
    const view = render(canvas);
    let status: StatusMessage = { collections: [], refreshing: false };

    const ask = () => {
      view.edit.hidden = true;
      server.send<AskMessage>(MESSAGES.ask, entryOfPage());
    };
    const draw = () => drawStatus(view, status);

    server.on<StatusMessage>(MESSAGES.status, (message) => {
      status = message;
      target.toggleNotification(
        message.problem === undefined ? { state: false } : { state: true, level: 'error' },
      );
      draw();
    });
    server.on<EditMessage>(MESSAGES.edit, ({ entry, url }) => {
      if (entry !== entryOfPage().entry) return;
      view.edit.href = url;
      view.edit.textContent = `Edit ${entry} in the CMS`;
      view.edit.hidden = false;
    });
    view.refresh.addEventListener('click', () => server.send(MESSAGES.refresh, {}));

    let ticking: ReturnType<typeof setInterval> | undefined;
    target.onToggled(({ state }) => {
      clearInterval(ticking);
      if (!state) return;
      ask();
      ticking = setInterval(draw, TICK);
    });
    // With view transitions the page changes while the toolbar stays.
    document.addEventListener('astro:page-load', ask);
    ask();
  },
};
export default app;

function entryOfPage(): AskMessage {
  const entry = document.querySelector('meta[name="luid-entry"]')?.getAttribute('content')?.trim();
  return entry ? { entry } : {};
}

interface View {
  readonly summary: HTMLElement;
  readonly problem: HTMLElement;
  readonly list: HTMLElement;
  readonly refresh: HTMLElement;
  readonly edit: HTMLAnchorElement;
}

const STYLE = `
  h1 { margin: 0 0 8px; font-size: 18px; color: #fff; }
  p { margin: 0 0 12px; }
  table { border-collapse: collapse; margin: 0 0 16px; width: 100%; }
  td { padding: 2px 0; }
  td:last-child { text-align: right; font-variant-numeric: tabular-nums; }
  footer { display: flex; gap: 16px; align-items: center; }
  a { color: #c3b4ff; }
  [hidden] { display: none; }
  .problem { color: #ff9d9d; white-space: pre-wrap; }
`;

function render(canvas: ShadowRoot): View {
  const create = <K extends keyof HTMLElementTagNameMap>(tag: K, parent: Node, text = '') => {
    const element = document.createElement(tag);
    element.textContent = text;
    parent.appendChild(element);
    return element;
  };
  const pane = create('astro-dev-toolbar-window', canvas);
  create('style', pane, STYLE);
  create('h1', pane, 'Content of the space');
  const summary = create('p', pane);
  const problem = create('p', pane);
  problem.className = 'problem';
  const list = create('table', pane);
  const footer = create('footer', pane);
  const refresh = create('astro-dev-toolbar-button', footer, 'Refresh now');
  const edit = create('a', footer);
  edit.target = '_blank';
  edit.rel = 'noopener noreferrer';
  edit.hidden = true;
  return { summary, problem, list, refresh, edit };
}

function drawStatus(view: View, status: StatusMessage): void {
  const { collections, reads, lastSync, refreshing, problem } = status;
  const when = lastSync === undefined ? 'not synced yet' : `last sync ${ago(Date.now() - lastSync)}`;
  view.summary.textContent = [reads, refreshing ? 'refreshing…' : when].filter(Boolean).join(' · ');
  view.problem.textContent = problem ?? '';
  view.problem.hidden = problem === undefined;
  view.list.replaceChildren(
    ...collections.map(({ name, model, entries }) => {
      const row = document.createElement('tr');
      for (const text of [name === model ? name : `${name} (${model})`, String(entries)]) {
        row.appendChild(document.createElement('td')).textContent = text;
      }
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
