import { useState } from 'preact/hooks';
import type { ActionResult, FieldProblem, NewItem, StudioModel } from '../../studio-types.ts';
import { ApiError, post } from '../api.ts';
import { href, navigate } from '../route.ts';
import { useStudio } from '../studio.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { notify } from '../ui/notices.tsx';
import { changeItem } from './change-item.ts';
import { EditorHead } from './editor-head.tsx';
import { FieldsForm } from './fields/fields-form.tsx';
import { focusAgain, focusProblem } from './focus-problem.ts';
import { doneText } from './model/actions.ts';
import { allLanguages, languageName } from './model/languages.ts';
import { findLocalProblems } from './model/local-problems.ts';
import { keepProblems } from './model/paths.ts';
import { findChanges, pickChanges, type Values } from './model/values.ts';
import { ProblemSummary } from './problem-summary.tsx';
import { useSaveKey } from './use-save-key.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

interface NewItemEditorProps {
  readonly model: string;
  readonly query: URLSearchParams;
}

/** The editor of an item that does not exist yet: the first save creates it. */
export function NewItemEditor({ model: luid, query }: NewItemEditorProps) {
  const model = useStudio().space.models.find((other) => other.luid === luid);
  if (model) return <NewItemForm model={model} query={query} />;
  return (
    <EmptyState isView title={`There is no model ${luid}`}>
      <a class="button" href="#/">
        Show all content
      </a>
    </EmptyState>
  );
}

const NO_LINKS = { linkedContents: [], linkedMedia: [] };

function NewItemForm({ model, query }: { model: StudioModel; query: URLSearchParams }) {
  const { space } = useStudio();
  const { fields } = model;
  const languages = allLanguages(space);
  const [lang, setLang] = useState(
    languages.find((name) => name === query.get('lang')) ?? space.languages.main,
  );
  const spaces = space.spaces ?? [];
  const [target, setTarget] = useState(
    spaces.find((name) => name === query.get('space')) ??
      spaces.find((name) => name === '_parent') ??
      spaces[0],
  );
  const [values, setValues] = useState<Values>({});
  const [problems, setProblems] = useState<readonly FieldProblem[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const isUnsaved = findChanges(fields, undefined, values).length > 0;
  const endGuard = useUnsavedGuard(isUnsaved);

  const change = (luid: string, value: unknown) => {
    const after = { ...values, [luid]: value };
    setValues(after);
    setProblems(keepProblems(problems, values, after));
  };
  const create = async (isPublished: boolean) => {
    const [invalid] = findLocalProblems(fields, values);
    if (isBusy || invalid) {
      if (invalid) focusProblem(lang, invalid.path);
      return;
    }
    // While the item is created, nothing can be typed, because the editor that follows would not have it.
    const focused = document.activeElement;
    setIsBusy(true);
    try {
      const body: NewItem = {
        model: model.luid,
        space: target,
        lang,
        fields: pickChanges(fields, undefined, values),
      };
      const { item } = await post<ActionResult>('contents', body);
      endGuard();
      navigate(href(['item', item.id], { lang: lang === space.languages.main ? undefined : lang }));
      notify('Draft created.');
      if (isPublished) {
        const result = await changeItem(item.id, 'publish', { version: item.version });
        notify(doneText('publish', item, result.item));
      }
    } catch (error) {
      const refused = error instanceof ApiError ? error.problems : [];
      setProblems(refused);
      if (refused[0]) focusProblem(lang, refused[0].path);
      else {
        focusAgain(focused);
        notify(error instanceof Error ? error.message : String(error), 'failed');
      }
    } finally {
      setIsBusy(false);
    }
  };
  useSaveKey(() => void create(false));

  return (
    <div class="editor">
      <EditorHead model={model.luid} name="new" title={`New ${model.luid}`} lang="en" isUnsaved={isUnsaved} />
      <ProblemSummary problems={[{ lang, problems }]} onShow={focusProblem} />
      <div class="editor-columns">
        <div class="card editor-main">
          <fieldset
            class="fields panel"
            disabled={isBusy}
            aria-busy={isBusy}
            aria-label={`Fields in ${languageName(lang)}`}
          >
            <FieldsForm
              fields={fields}
              values={values}
              lang={lang}
              problems={problems}
              known={NO_LINKS}
              saved={values}
              published={undefined}
              isComparing={false}
              onChange={change}
            />
          </fieldset>
        </div>
        <aside class="editor-side" aria-label="Actions">
          <section class="card side-actions main-actions">
            <p class="muted">Nothing exists until you save.</p>
            {languages.length > 1 && (
              <Choice
                label="Language"
                values={languages}
                value={lang}
                isDisabled={isBusy}
                nameOf={languageName}
                onChoose={setLang}
              />
            )}
            {spaces.length > 1 && target !== undefined && (
              <Choice
                label="Space"
                values={spaces}
                value={target}
                isDisabled={isBusy}
                nameOf={String}
                onChoose={setTarget}
              />
            )}
            <button
              type="button"
              class="primary main-button"
              disabled={isBusy}
              onClick={() => void create(false)}
            >
              Save draft
            </button>
            <button type="button" class="main-button" disabled={isBusy} onClick={() => void create(true)}>
              Save and publish
            </button>
          </section>
        </aside>
      </div>
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly values: readonly string[];
  readonly value: string;
  readonly isDisabled: boolean;
  readonly nameOf: (value: string) => string;
  readonly onChoose: (value: string) => void;
}

function Choice({ label, values, value, isDisabled, nameOf, onChoose }: ChoiceProps) {
  return (
    <label class="side-choice">
      <span>{label}</span>
      <select
        value={value}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {values.map((name) => (
          <option key={name} value={name}>
            {nameOf(name)}
          </option>
        ))}
      </select>
    </label>
  );
}
