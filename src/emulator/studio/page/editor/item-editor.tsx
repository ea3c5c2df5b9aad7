import { useState } from 'preact/hooks';
import type { ItemAction, StudioField, StudioItem } from '../../studio-types.ts';
import { get } from '../api.ts';
import { ResponseView } from '../response/response-view.tsx';
import { href, navigate } from '../route.ts';
import { useLoad, useStudio } from '../studio.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { ChangeBanner } from './change-banner.tsx';
import { EditorHead } from './editor-head.tsx';
import { focusProblem } from './focus-problem.ts';
import { LanguagePanel } from './language-panel.tsx';
import { panelId, type Tab, Tabs, tabId } from './language-tabs.tsx';
import { currentValues, type Editing, hasUnsavedChanges, revert, takeLatest } from './model/editing.ts';
import { allLanguages, languageName } from './model/languages.ts';
import { OverwriteDialog } from './overwrite-dialog.tsx';
import { ProblemSummary } from './problem-summary.tsx';
import { SidePanel } from './side-panel.tsx';
import { useItemEditing } from './use-item-editing.ts';
import { useSaveKey } from './use-save-key.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

export { NewItemEditor } from './new-item-editor.tsx';

interface ItemEditorProps {
  readonly id: number;
  readonly query: URLSearchParams;
}

/** The editor of one item. */
export function ItemEditor({ id, query }: ItemEditorProps) {
  const { space, problem } = useStudio();
  const isConnected = problem === undefined;
  const { value: initial, error } = useLoad(
    (signal) => get<StudioItem>(`contents/${id}`, { signal }),
    [id, isConnected],
  );
  if (!initial && error) {
    return (
      <EmptyState
        isView
        title={error.status === 404 ? `Content ${id} does not exist` : 'The item cannot be loaded'}
      >
        {error.status !== 404 && <p>{error.message}</p>}
        <a class="button" href="#/">
          Show all content
        </a>
      </EmptyState>
    );
  }
  if (!initial) {
    return (
      <p class="editor-loading muted" role="status">
        Loading …
      </p>
    );
  }
  const fields = space.models.find(({ luid }) => luid === initial.model)?.fields ?? NO_FIELDS;
  return <LoadedEditor initial={initial} fields={fields} query={query} />;
}

const NO_FIELDS: readonly StudioField[] = [];
const RESPONSE = 'response';

interface LoadedEditorProps {
  readonly initial: StudioItem;
  readonly fields: readonly StudioField[];
  readonly query: URLSearchParams;
}

function LoadedEditor({ initial, fields, query }: LoadedEditorProps) {
  const { space } = useStudio();
  const { id, model } = initial;
  const languages = allLanguages(space);
  const lang = languages.find((name) => name === query.get('lang')) ?? space.languages.main;
  const active = query.get('tab') === RESPONSE ? RESPONSE : lang;
  const choose = (tab: string) => {
    const to = tab === RESPONSE ? { lang, tab } : { lang: tab };
    navigate(href(['item', id], to), { replace: true });
  };
  const { state, update, run, isBusy, isGone, question } = useItemEditing({
    initial,
    fields,
    showLanguage: choose,
  });
  const isUnsaved = hasUnsavedChanges(state);
  const endGuard = useUnsavedGuard(isUnsaved);
  useSaveKey(() => {
    if (isUnsaved) void run('draft');
  });
  const act = async (action: ItemAction) => {
    const item = await run(action);
    if (!item || (action !== 'duplicate' && action !== 'remove')) return;
    endGuard();
    navigate(action === 'duplicate' ? href(['item', item.id]) : href(['model', model]));
  };
  if (isGone && !isUnsaved) {
    return (
      <EmptyState isView title={`Content ${id} was deleted`}>
        <a class="button" href={href(['model', model])}>
          Show {model}
        </a>
      </EmptyState>
    );
  }
  return (
    <div class="editor">
      <EditorHead
        model={model}
        name={String(id)}
        title={state.item.title}
        isUnsaved={isUnsaved}
        lang={space.languages.main}
      />
      {isGone && (
        <p class="editor-banner" role="alert">
          This item was deleted elsewhere. Your unsaved changes are still here, but cannot be saved.
        </p>
      )}
      <ChangeBanner state={state} onTake={() => update(takeLatest)} />
      <ProblemSummary
        problems={state.problems}
        onShow={(problemLang, path) => {
          choose(problemLang);
          focusProblem(problemLang, path);
        }}
      />
      <div class="editor-columns">
        <div class="card editor-main">
          <Tabs
            label="Languages and response"
            tabs={tabsOf(state, languages)}
            active={active}
            onChoose={choose}
          />
          <Panels state={state} languages={languages} active={active} update={update} />
          {active === RESPONSE && (
            <div role="tabpanel" id={panelId(RESPONSE)} aria-labelledby={tabId(RESPONSE)} class="panel">
              <ResponseView id={id} model={model} lang={lang} />
            </div>
          )}
        </div>
        <SidePanel
          item={state.item}
          isUnsaved={isUnsaved}
          isBusy={isBusy}
          onRun={(action) => void act(action)}
          onRevert={() => update((before) => revert(before))}
        />
      </div>
      {question && <OverwriteDialog {...question} />}
    </div>
  );
}

function tabsOf(state: Editing, languages: readonly string[]): Tab[] {
  const tabs = languages.map((lang, index): Tab => {
    const name = languageName(lang);
    const hasData = currentValues(state, lang) !== undefined;
    const note = Object.hasOwn(state.edits, lang) ? 'unsaved' : index === 0 ? 'main' : undefined;
    return { name: lang, label: hasData || index === 0 ? name : `Add ${name}`, note };
  });
  return [...tabs, { name: RESPONSE, label: 'Response', isAtEnd: true }];
}

interface PanelsProps {
  readonly state: Editing;
  readonly languages: readonly string[];
  readonly active: string;
  readonly update: (change: (state: Editing) => Editing) => void;
}

/** A language that was shown once stays in the page, so that what is half entered in it is kept. */
function Panels({ state, languages, active, update }: PanelsProps) {
  const [shown, setShown] = useState<readonly string[]>([active]);
  if (!shown.includes(active)) setShown([...shown, active]);
  return languages.map((lang) => (
    <div
      key={lang}
      role="tabpanel"
      id={panelId(lang)}
      aria-labelledby={tabId(lang)}
      class="panel"
      hidden={lang !== active}
    >
      {(lang === active || shown.includes(lang)) && (
        <LanguagePanel state={state} lang={lang} update={update} />
      )}
    </div>
  ));
}
