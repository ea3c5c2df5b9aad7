import { useEffect, useState } from 'preact/hooks';
import type { StudioSpace } from '../studio-types.ts';
import { useActivity } from './activity.ts';
import { get } from './api.ts';
import { ItemList } from './content/item-list.tsx';
import { ItemEditor, NewItemEditor } from './editor/item-editor.tsx';
import { MediaLibrary } from './media/media-library.tsx';
import { href, type Route, useRoute } from './route.ts';
import { StudioContext, useLoad, useStudio } from './studio.ts';
import { applyTheme, readTheme, THEMES, type Theme } from './theme.ts';
import { TrafficView } from './traffic/traffic-view.tsx';
import { Notices } from './ui/notices.tsx';
import { WebhooksView } from './webhooks/webhooks-view.tsx';

/** The gauge of the rate limit moves without requests, so the traffic view looks more often. */
const WAIT = { traffic: 2_000, others: 25_000 };

export function App() {
  const route = useRoute();
  useEffect(() => {
    document.title = [...route.parts.slice(0, 2).reverse(), 'Studio'].join(' · ');
  }, [route.parts.join('/')]);
  const live = useActivity(route.parts[0] === 'traffic' ? WAIT.traffic : WAIT.others);
  const space = useLoad((signal) => get<StudioSpace>('space', { signal }), [live.activity?.content]);
  if (live.problem?.status === 401) return <NoAccess />;
  if (!space.value) return <Starting message={space.error?.message ?? live.problem?.message} />;
  return (
    <StudioContext.Provider value={{ ...live, space: space.value }}>
      <button type="button" class="skip-link" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <Header route={route} />
      {live.problem && (
        <p class="banner" role="alert">
          {live.problem.message} Trying again …
        </p>
      )}
      <main id="main" tabIndex={-1}>
        <View route={route} />
      </main>
      <Notices />
    </StudioContext.Provider>
  );
}

function View({ route: { parts, query } }: { route: Route }) {
  const [view, subject = ''] = parts;
  if (view === 'traffic') return <TrafficView />;
  if (view === 'media') return <MediaLibrary />;
  if (view === 'webhooks') return <WebhooksView />;
  if (view === 'item') return <ItemEditor key={subject} id={Number(subject)} query={query} />;
  if (view === 'new') return <NewItemEditor key={subject} model={subject} query={query} />;
  return <ItemList model={view === 'model' ? subject : undefined} query={query} />;
}

function Header({ route }: { route: Route }) {
  const { activity } = useStudio();
  const active = ['traffic', 'media', 'webhooks'].find((view) => view === route.parts[0]) ?? 'content';
  const faults = activity?.faults.length ?? 0;
  const link = (view: string, label: string, to: string) => (
    <a href={to} aria-current={active === view ? 'page' : undefined}>
      {label}
    </a>
  );
  return (
    <header class="app-header">
      <a class="brand" href="#/" aria-label="Studio">
        <img src="/_studio/icon.svg" alt="" width="24" height="24" />
        <span>Studio</span>
      </a>
      <nav aria-label="Views">
        {link('content', 'Content', '#/')}
        {link('media', 'Media', href(['media']))}
        {link('traffic', 'Traffic', href(['traffic']))}
        {link('webhooks', 'Webhooks', href(['webhooks']))}
      </nav>
      {faults > 0 && (
        <a class="chip warning" href={href(['traffic'])}>
          {faults === 1 ? '1 fault is on' : `${faults} faults are on`}
        </a>
      )}
      <ThemeSwitch />
    </header>
  );
}

function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme);
  const choose = (value: Theme) => {
    applyTheme(value);
    setTheme(value);
  };
  return (
    <label class="theme-switch">
      <span class="visually-hidden">Theme</span>
      <select value={theme} onChange={({ currentTarget }) => choose(currentTarget.value as Theme)}>
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {name === 'system' ? 'System' : name === 'light' ? 'Light' : 'Dark'}
          </option>
        ))}
      </select>
    </label>
  );
}

function NoAccess() {
  return (
    <main class="centered">
      <h1>Open the studio from the terminal</h1>
      <p>
        The terminal in which the emulator was started shows the address of the studio. It contains an access
        token that is valid until the emulator ends.
      </p>
    </main>
  );
}

function Starting({ message }: { message: string | undefined }) {
  return (
    <main class="centered">
      <h1>Studio</h1>
      <p role="status">{message ?? 'Loading the space …'}</p>
    </main>
  );
}
