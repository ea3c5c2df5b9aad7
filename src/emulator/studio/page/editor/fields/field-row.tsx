import type { ComponentChildren } from 'preact';
import type { StudioField } from '../../../studio-types.ts';
import { idOf, useForm } from './form-context.ts';

/** Controls that consist of several elements: they are named by `aria-labelledby` instead of a `<label>`. */
const COMPOSITE = new Set([
  'checkbox',
  'multi-select',
  'datetime',
  'media',
  'content',
  'list',
  'blocks',
  'group',
]);

interface FieldRowProps {
  readonly field: StudioField;
  readonly path: string;
  /** Short texts after the name. */
  readonly marks?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The name of a field, its control and the message if its value is not valid. */
export function FieldRow({ field, path, marks, children }: FieldRowProps) {
  const { lang, problems, differing } = useForm();
  const id = idOf(lang, path);
  const problem = problems.get(path);
  const name = (
    <>
      <span class="field-name">{field.luid}</span>{' '}
      {field.required && <span class="field-required">required</span>}
    </>
  );
  const isComposite = COMPOSITE.has(field.control);
  return (
    <div class={`field control-${field.control}`}>
      <div class="field-head">
        {isComposite ? (
          <span id={`${id}-label`} class="field-label">
            {name}
          </span>
        ) : (
          <label for={id} class="field-label">
            {name}
          </label>
        )}
        <span class="field-type">{field.type.replaceAll('_', ' ')}</span>
        {marks}
        {differing.has(path) && <span class="mark">Differs from published</span>}
      </div>
      {children}
      {problem !== undefined && (
        <p class="field-problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}
