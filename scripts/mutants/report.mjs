import { LEAST_SCORE } from './score.mjs';

/** A table of scores, then every survivor without an explanation. */
export function markdownReport({ files, stale }) {
  const sum = (key) => files.reduce((total, file) => total + file[key], 0);
  const [noticed, counted] = [sum('noticed'), sum('counted')];
  const score = counted === 0 ? 100 : Math.floor((1000 * noticed) / counted) / 10;
  const rows = [
    ...files.map((file) => ({ ...file, survivors: file.survivors.length })),
    { file: 'all', score, noticed, counted, explained: sum('explained'), survivors: counted - noticed },
  ];
  return [
    '# Mutants',
    '',
    `Of every file at least ${LEAST_SCORE} % must be noticed by the tests.`,
    '',
    '| file | score | noticed | of | survivors | explained |',
    '|---|---|---|---|---|---|',
    ...rows.map(
      ({ file, score, noticed, counted, survivors, explained }) =>
        `| ${file} | ${score} % | ${noticed} | ${counted} | ${survivors} | ${explained} |`,
    ),
    ...files.flatMap(({ file, survivors }) =>
      survivors.length > 0 ? ['', `## ${file}`, '', ...survivors.flatMap(describeMutant)] : [],
    ),
    ...(stale.length > 0 ? ['', '## Explanations without a survivor: remove them', ''] : []),
    ...stale.map(({ file, line, replacement }) => `- ${file}: \`${line}\` → \`${replacement}\``),
    '',
  ].join('\n');
}

function describeMutant({ line, column, text, original, replacement, kind, status }) {
  const note = status === 'NoCoverage' ? ', in no test' : '';
  return [
    `- ${line}:${column} ${kind}${note}: \`${text}\``,
    `  \`${shorten(original)}\` → \`${shorten(replacement)}\``,
  ];
}

function shorten(code) {
  const line = code.replaceAll(/\s+/g, ' ');
  return line.length > 160 ? `${line.slice(0, 160)} …` : line;
}
