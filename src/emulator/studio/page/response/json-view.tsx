import { useMemo, useState } from 'preact/hooks';
import { href } from '../route.ts';
import { useStudio } from '../studio.ts';
import { formatBytes } from '../ui/format-bytes.ts';
import { type JsonLine, jsonLines, type Place, type Token } from './json-lines.ts';
import { LazyBlock } from './lazy-block.tsx';

/** More is shown on request only, so that a large response does not make the page slow. */
const MAX_CHARACTERS = 200_000;
const LINES_PER_BLOCK = 100;
/** In rem, of a line that does not wrap. */
const LINE_HEIGHT = 1.3;
/** By code points, so that no character is split. */
const RAW_BLOCK = /[\s\S]{1,10000}/gu;
const RAW_HEIGHT = 100;

interface JsonViewProps {
  readonly body: string;
  /** What the body is. */
  readonly root: Place;
  readonly isRaw: boolean;
}

/** The body of a response, indented and colored, or exactly as it was sent. */
export function JsonView({ body, root, isRaw }: JsonViewProps) {
  const { models } = useStudio().space;
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => {
    const value = isRaw ? undefined : parseJson(body);
    return value === undefined ? undefined : jsonLines(value, root, models);
  }, [body, isRaw, root, models]);
  const shown = isWhole ? Number.POSITIVE_INFINITY : MAX_CHARACTERS;
  const isCut = body.length > shown;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section class="response-body" tabIndex={0} aria-label="Body of the response">
        {lines ? <Lines lines={lines} characters={shown} /> : <RawText text={body.slice(0, shown)} />}
      </section>
      {isCut && (
        <p class="response-cut">
          <span class="muted">Only the beginning of {formatBytes(body.length)} is shown.</span>
          <button type="button" onClick={() => setWhole(true)}>
            Show all
          </button>
        </p>
      )}
    </>
  );
}

function Lines({ lines, characters }: { lines: readonly JsonLine[]; characters: number }) {
  const chunks = useMemo(() => {
    const visible = firstLines(lines, characters);
    const count = Math.ceil(visible.length / LINES_PER_BLOCK);
    return Array.from({ length: count }, (_, index) =>
      visible.slice(index * LINES_PER_BLOCK, (index + 1) * LINES_PER_BLOCK),
    );
  }, [lines, characters]);
  return (
    <div class="response-text">
      {chunks.map((chunk, index) => (
        <LazyBlock key={index} content={chunk} height={chunk.length * LINE_HEIGHT} render={renderLines} />
      ))}
    </div>
  );
}

/** The text in blocks: the layout of one long line takes a browser many seconds. */
function RawText({ text }: { text: string }) {
  const blocks = useMemo(() => text.match(RAW_BLOCK) ?? [], [text]);
  return (
    <div class="response-text">
      {blocks.map((block, index) => (
        <LazyBlock key={index} content={block} height={RAW_HEIGHT} render={renderText} />
      ))}
    </div>
  );
}

function renderText(text: string) {
  return text;
}

function renderLines(lines: readonly JsonLine[]) {
  return lines.map(({ indent, tokens }, line) => (
    <div key={line} class="json-line" style={{ '--indent': String(indent) }}>
      {'  '.repeat(indent)}
      {tokens.map(renderToken)}
      {'\n'}
    </div>
  ));
}

function renderToken({ kind, text, item }: Token) {
  if (kind === 'punctuation') return text;
  if (item === undefined) return <span class={`json-${kind}`}>{text}</span>;
  return (
    <a class="json-link" href={href(['item', item])} title={`Open content ${item}`}>
      {text}
    </a>
  );
}

function firstLines(lines: readonly JsonLine[], characters: number): readonly JsonLine[] {
  if (characters === Number.POSITIVE_INFINITY) return lines;
  let left = characters;
  const end = lines.findIndex(({ tokens }) => {
    left -= tokens.reduce((sum, { text }) => sum + text.length, 0);
    return left < 0;
  });
  return end === -1 ? lines : lines.slice(0, Math.max(1, end));
}

/** `undefined` if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
