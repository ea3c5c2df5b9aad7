import type { FunctionComponent } from 'preact';
import type { StudioField } from '../../../studio-types.ts';
import { getOwn } from '../model/values.ts';
import { CheckboxControl, MultiSelectControl, SelectControl } from './choice-controls.tsx';
import { ContentControl } from './content-control.tsx';
import { DatetimeControl } from './datetime-control.tsx';
import { FieldRow } from './field-row.tsx';
import type { ControlProps, RenderFields } from './form-context.ts';
import { BlocksControl, GroupControl, ListControl } from './group-controls.tsx';
import { JsonControl } from './json-control.tsx';
import { MediaControl } from './media-control.tsx';
import { RichTextControl } from './rich-text-control.tsx';
import { TextareaControl, TextControl } from './text-controls.tsx';

const CONTROLS: { readonly [control in StudioField['control']]: FunctionComponent<ControlProps> } = {
  text: TextControl,
  textarea: TextareaControl,
  'rich-text': RichTextControl,
  checkbox: CheckboxControl,
  select: SelectControl,
  'multi-select': MultiSelectControl,
  datetime: DatetimeControl,
  media: MediaControl,
  content: ContentControl,
  group: GroupControl,
  list: ListControl,
  blocks: BlocksControl,
  json: JsonControl,
};

/** The control of one field, without its name. */
export function FieldControl(props: Omit<ControlProps, 'renderFields'>) {
  const Control = CONTROLS[props.field.control] ?? JsonControl;
  return <Control {...props} renderFields={renderFields} />;
}

const renderFields: RenderFields = (fields, values, path, onChange) =>
  fields.map((field) => {
    const below = `${path}.${field.luid}`;
    return (
      <FieldRow key={field.luid} field={field} path={below}>
        <FieldControl
          field={field}
          value={getOwn(values, field.luid)}
          path={below}
          onChange={(value) => onChange({ ...values, [field.luid]: value })}
        />
      </FieldRow>
    );
  });
