import { href } from '../route.ts';

interface EditorHeadProps {
  readonly model: string;
  /** The last step of the path: an id, or that it is new. */
  readonly name: string;
  readonly title: string;
  readonly lang: string;
  readonly isUnsaved: boolean;
}

export function EditorHead({ model, name, title, lang, isUnsaved }: EditorHeadProps) {
  return (
    <header class="editor-head">
      <nav aria-label="Path" class="muted">
        <a href={href(['model', model])}>{model}</a> / {name}
      </nav>
      <h1 lang={lang}>{title || '(no title)'}</h1>
      <span class="head-mark" role="status">
        {isUnsaved && <span class="chip warning">Unsaved changes</span>}
      </span>
    </header>
  );
}
