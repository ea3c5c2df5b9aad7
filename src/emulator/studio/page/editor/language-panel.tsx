import { useState } from 'preact/hooks';
import { useStudio } from '../studio.ts';
import { FieldsForm } from './fields/fields-form.tsx';
import { addLanguage, currentValues, type Editing, revert, savedValues, setValue } from './model/editing.ts';
import { languageName } from './model/languages.ts';
import { findChanges, getOwn, type Values } from './model/values.ts';

interface LanguagePanelProps {
  readonly state: Editing;
  readonly lang: string;
  readonly update: (change: (state: Editing) => Editing) => void;
}

/** The fields of an item in one language, or the start of a language without data. */
export function LanguagePanel({ state, lang, update }: LanguagePanelProps) {
  const [isComparing, setIsComparing] = useState(false);
  const values = currentValues(state, lang);
  if (!values) return <LanguageStart state={state} lang={lang} update={update} />;
  const { fields, item } = state;
  const isArchived = item.status === 'archived';
  const saved = savedValues(item, lang);
  const published = getOwn(item.published, lang);
  const differing = published ? findChanges(fields, published, values).length : 0;
  return (
    <>
      {published && differing > 0 && (
        <div class="compare-line">
          <span>
            {differing === 1 ? '1 field differs' : `${differing} fields differ`} from what is published.
          </span>
          <button type="button" aria-pressed={isComparing} onClick={() => setIsComparing(!isComparing)}>
            Compare with published
          </button>
        </div>
      )}
      {!saved && (
        <div class="compare-line">
          <span>{languageName(lang)} is new. It is added when you save.</span>
          <button type="button" onClick={() => update((before) => revert(before, lang))}>
            Do not add {languageName(lang)}
          </button>
        </div>
      )}
      {isArchived && <p class="compare-line">Archived content cannot be edited. Restore it first.</p>}
      <fieldset class="fields" disabled={isArchived} aria-label={`Fields in ${languageName(lang)}`}>
        <FieldsForm
          fields={fields}
          values={values}
          lang={lang}
          problems={state.problems.find((entry) => entry.lang === lang)?.problems ?? NONE}
          known={item}
          saved={saved}
          published={published}
          isComparing={isComparing}
          onChange={(luid, value) => update((before) => setValue(before, lang, luid, value))}
        />
      </fieldset>
    </>
  );
}

const NONE: readonly never[] = [];

function LanguageStart({ state, lang, update }: LanguagePanelProps) {
  const { main } = useStudio().space.languages;
  const name = languageName(lang);
  const mainValues = lang === main ? undefined : currentValues(state, main);
  const start = (values: Values) => update((before) => addLanguage(before, lang, values));
  if (state.item.status === 'archived') return <p class="language-start muted">There is no {name} data.</p>;
  return (
    <div class="language-start">
      <h2>There is no {name} data yet</h2>
      <p class="muted">Reading this item with lang={lang} finds nothing until it has some.</p>
      <div class="row">
        <button type="button" class="primary" onClick={() => start({})}>
          Add {name}
        </button>
        {mainValues && (
          <button type="button" onClick={() => start(mainValues)}>
            Start from {languageName(main)}
          </button>
        )}
      </div>
    </div>
  );
}
