import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { StudioField } from '../../../studio-types.ts';
import type { KnownLinks } from '../model/value-text.ts';
import type { Values } from '../model/values.ts';

/** What all fields of a form share. */
export interface Form {
  readonly lang: string;
  /** The messages of invalid values, by path. */
  readonly problems: ReadonlyMap<string, string>;
  /** The paths of the values that differ from what is published. */
  readonly differing: ReadonlySet<string>;
  readonly known: KnownLinks;
}

export const FormContext = createContext<Form | undefined>(undefined);

export function useForm(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error('useForm is called outside of a form.');
  return form;
}

/** What every control gets. `path` is from the fields of the language: `blocks[2].fields.image`. */
export interface ControlProps {
  readonly field: StudioField;
  readonly value: unknown;
  readonly path: string;
  readonly onChange: (value: unknown) => void;
  /** Shows the fields of a group inside: the controls that contain others do not import them. */
  readonly renderFields: RenderFields;
}

export type RenderFields = (
  fields: readonly StudioField[],
  values: Values,
  path: string,
  onChange: (values: Values) => void,
) => ComponentChildren;

/** The id of the element that represents a value, for labels and for links to problems. */
export function idOf(lang: string, path: string): string {
  return `field-${lang}-${path}`;
}

/** The attributes of an element that is edited directly: its id, and its problem. */
export function useControl(path: string) {
  const { lang, problems } = useForm();
  const id = idOf(lang, path);
  const isInvalid = problems.has(path);
  return {
    id,
    'aria-invalid': isInvalid ? ('true' as const) : undefined,
    'aria-describedby': isInvalid ? `${id}-problem` : undefined,
  };
}
