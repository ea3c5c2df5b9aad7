import { MediaPicker } from '../../media/media-picker.tsx';
import { ControlGroup } from './control-group.tsx';
import { type ControlProps, useForm } from './form-context.ts';

export function MediaControl({ field, value, path, onChange }: ControlProps) {
  const { lang, known } = useForm();
  return (
    <ControlGroup path={path}>
      <MediaPicker
        value={typeof value === 'number' ? value : null}
        onChange={onChange}
        label={field.luid}
        lang={lang}
        known={known.linkedMedia}
      />
    </ControlGroup>
  );
}
