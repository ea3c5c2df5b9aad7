/**
 * The text of the content that is measured: Japanese, which V8 stores with two bytes per character, or ASCII with
 * `npm run bench -- --ascii`, which scripts/bench.mjs passes on in the environment. Sizes are those of the UTF-8 text.
 */
export const TEXT = process.env.LUID_BENCH_TEXT === 'ASCII' ? 'ASCII' : 'Japanese';

const SENTENCES = {
  ASCII: 'The harbour wakes before the town does, and the first boats are out by then. ',
  Japanese: '港は町よりも先に目を覚まし、最初の船はもう沖へ出ています。',
};

export const SENTENCE = SENTENCES[TEXT];
const BYTES = Buffer.byteLength(SENTENCE);

/** Text of at least this many bytes. */
export const textOf = (bytes: number): string => SENTENCE.repeat(Math.ceil(bytes / BYTES));

/** The title of an article. */
export const titleOf = (n: number): string => (TEXT === 'ASCII' ? `Article ${n}` : `港の記録 第${n}回`);
