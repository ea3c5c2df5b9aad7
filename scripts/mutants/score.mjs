/** Percent of the mutants of a file that the tests must notice. */
export const LEAST_SCORE = 90;

const NOTICED = ['Killed', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

/**
 * The score of each file: how many of its mutants the tests noticed. Mutants that cannot change behaviour do not
 * count: each is explained once, by the text of its line and by what is replaced with what.
 */
export function judge(mutants, equivalent) {
  const used = new Set();
  const explain = (mutant) => {
    const entry = equivalent.find(
      (one) =>
        one.file === mutant.file &&
        one.line === mutant.text &&
        one.original === mutant.original &&
        one.replacement === mutant.replacement,
    );
    if (entry) used.add(entry);
    return entry;
  };
  const files = Map.groupBy(mutants, ({ file }) => file)
    .entries()
    .map(([file, all]) => {
      const noticed = all.filter(({ status }) => NOTICED.includes(status)).length;
      const missed = all.filter(({ status }) => MISSED.includes(status));
      const survivors = missed.filter((mutant) => !explain(mutant));
      const counted = noticed + survivors.length;
      const score = counted === 0 ? 100 : Math.floor((1000 * noticed) / counted) / 10;
      return { file, score, noticed, counted, explained: missed.length - survivors.length, survivors };
    });
  const verdict = { files: [...files].sort((a, b) => a.file.localeCompare(b.file)) };
  return { ...verdict, stale: equivalent.filter((entry) => !used.has(entry)) };
}
