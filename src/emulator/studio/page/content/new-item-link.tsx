import { useRef } from 'preact/hooks';
import { href } from '../route.ts';
import { useStudio } from '../studio.ts';

/** A link to a new item; without a model, a menu of all of them. */
export function NewItemLink({ model }: { model: string }) {
  const { models } = useStudio().space;
  const menu = useRef<HTMLDetailsElement>(null);
  if (model) {
    return (
      <a class="button primary" href={href(['new', model])}>
        New {model}
      </a>
    );
  }
  const close = () => {
    if (menu.current) menu.current.open = false;
  };
  return (
    <details
      ref={menu}
      class="new-menu"
      onFocusOut={({ relatedTarget }) => {
        if (!menu.current?.contains(relatedTarget as Node | null)) close();
      }}
      onKeyDown={({ key }) => {
        if (key !== 'Escape') return;
        close();
        menu.current?.querySelector('summary')?.focus();
      }}
    >
      <summary class="button primary">New item</summary>
      <ul>
        {models.map(({ luid }) => (
          <li key={luid}>
            <a href={href(['new', luid])}>{luid}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}
