import { useMemo } from 'preact/hooks';
import type { FieldProblem, StudioField } from '../../../studio-types.ts';
import { findDifferingPaths } from '../model/differing-paths.ts';
import { findLocalProblems } from '../model/local-problems.ts';
import { type KnownLinks, valueText } from '../model/value-text.ts';
import { findChanges, getOwn, type Values } from '../model/values.ts';
import { FieldControl } from './field-control.tsx';
import { FieldRow } from './field-row.tsx';
import { FormContext } from './form-context.ts';

interface FieldsFormProps {
  readonly fields: readonly StudioField[];
  readonly values: Values;
  readonly lang: string;
  readonly problems: readonly FieldProblem[];
  readonly known: KnownLinks;
  /** What is saved: fields that differ are marked. */
  readonly saved: Values | undefined;
  /** The published values, if there are any: fields that differ are marked, at any depth. */
  readonly published: Values | undefined;
  /** Show the published value beside each field that differs. */
  readonly isComparing: boolean;
  readonly onChange: (luid: string, value: unknown) => void;
}

/** All fields of a model in one language. */
export function FieldsForm(props: FieldsFormProps) {
  const { fields, values, lang, problems, known, saved, published, isComparing, onChange } = props;
  const messages = useMemo(() => {
    const all = [...problems, ...findLocalProblems(fields, values)];
    return new Map(all.map(({ path, message }) => [path, message]));
  }, [problems, fields, values]);
  const unsaved = new Set(findChanges(fields, saved, values));
  const differing = useMemo(
    () => (published ? findDifferingPaths(fields, published, values) : NOTHING),
    [fields, published, values],
  );
  return (
    <FormContext.Provider value={{ lang, problems: messages, differing, known }}>
      {fields.map((field) => {
        const isCompared = isComparing && differing.has(field.luid);
        return (
          <div key={field.luid} class={isCompared ? 'compared' : undefined}>
            <FieldRow
              field={field}
              path={field.luid}
              marks={unsaved.has(field) && <span class="mark unsaved">Unsaved</span>}
            >
              <FieldControl
                field={field}
                value={getOwn(values, field.luid)}
                path={field.luid}
                onChange={(value) => onChange(field.luid, value)}
              />
            </FieldRow>
            {isCompared && (
              <section class="published-value" aria-label={`Published value of ${field.luid}`}>
                <h3>Published</h3>
                <pre class="value-text" lang={lang}>
                  {valueText(field, getOwn(published, field.luid), known)}
                </pre>
              </section>
            )}
          </div>
        );
      })}
    </FormContext.Provider>
  );
}

const NOTHING: ReadonlySet<string> = new Set();
