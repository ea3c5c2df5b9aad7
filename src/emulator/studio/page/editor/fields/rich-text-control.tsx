import { useEffect, useState } from 'preact/hooks';
import { previewUrl } from '../../media/preview-url.ts';
import { useStudio } from '../../studio.ts';
import { fromFormText, toFormText } from '../model/line-breaks.ts';
import { type ControlProps, idOf, useControl, useForm } from './form-context.ts';
import { asText } from './text-controls.tsx';

/** The preview is a new document for each text, so it waits for a pause in typing. */
const PAUSE = 250;

/** HTML source, with a preview that cannot run anything. */
export function RichTextControl({ field, value, path, onChange }: ControlProps) {
  const { lang } = useForm();
  const [isShown, setIsShown] = useState(!path.includes('.') && !path.includes('['));
  const text = asText(value);
  const previewId = `${idOf(lang, path)}-preview`;
  return (
    <div class={isShown ? 'rich-text with-preview' : 'rich-text'}>
      <textarea
        {...useControl(path)}
        class="grows source"
        lang={lang}
        rows={6}
        spellcheck={false}
        value={toFormText(text)}
        onInput={({ currentTarget }) => onChange(fromFormText(text, currentTarget.value, '\n'))}
      />
      <div id={previewId} class="preview" hidden={!isShown}>
        {isShown && <Preview html={text} lang={lang} title={`Preview of ${field.luid}`} />}
      </div>
      <button
        type="button"
        class="link preview-switch"
        aria-expanded={isShown}
        aria-controls={previewId}
        onClick={() => setIsShown(!isShown)}
      >
        {isShown ? 'Hide the preview' : 'Show the preview'}
      </button>
    </div>
  );
}

function Preview({ html, lang, title }: { html: string; lang: string; title: string }) {
  const { assetsUrl } = useStudio().space;
  const [shown, setShown] = useState(html);
  useEffect(() => {
    const timer = setTimeout(() => setShown(html), PAUSE);
    return () => clearTimeout(timer);
  }, [html]);
  if (shown.trim() === '') return <p class="muted preview-empty">Nothing to preview.</p>;
  const body = previewUrl(shown.replaceAll('{assets_url}', assetsUrl), assetsUrl);
  return <iframe sandbox="" srcdoc={headOf(lang) + body} title={title} loading="lazy" />;
}

/** Links open in a new tab, which the sandbox refuses. The frame has no origin, so the URL of its style is absolute. */
function headOf(lang: string): string {
  const style = `<link rel="stylesheet" href="${location.origin}/_studio/preview.css">`;
  const tag = lang.replace(/[^\w-]/g, '');
  return `<!doctype html><html lang="${tag}"><meta charset="utf-8"><base target="_blank">${style}`;
}
