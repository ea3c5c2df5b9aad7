import type { ComponentChildren } from 'preact';
import { idOf, useForm } from './form-context.ts';

interface ControlGroupProps {
  readonly path: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Several elements that edit one value, named by the label of the field. A link to its problem focuses the group. */
export function ControlGroup({ path, class: className, children }: ControlGroupProps) {
  const { lang, problems } = useForm();
  const id = idOf(lang, path);
  return (
    <fieldset
      id={id}
      class={className}
      tabIndex={-1}
      aria-labelledby={`${id}-label`}
      aria-describedby={problems.has(path) ? `${id}-problem` : undefined}
    >
      {children}
    </fieldset>
  );
}
