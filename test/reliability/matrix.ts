import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** What holds under every fault. `check` throws, or returns whether the guarantee applies to the trial. */
export interface Guarantee<Trial> {
  readonly name: string;
  readonly check: (trial: Trial) => boolean;
}

/** A fault, with everything that is tried under it. */
export interface MatrixRow<Trial> {
  readonly name: string;
  readonly trials: () => Promise<readonly Trial[]>;
  /** Guarantees that the fault cannot affect, with the reason. */
  readonly without?: Readonly<Record<string, string>>;
  readonly remove?: () => void;
}

export interface Matrix<Trial> {
  readonly title: string;
  readonly text: string;
  readonly rows: readonly MatrixRow<Trial>[];
  readonly guarantees: readonly Guarantee<Trial>[];
}

/** The number of trials that were checked, the reason why none was, or that the guarantee was broken. */
type Cell = { readonly trials: number } | { readonly reason: string } | 'broken';

/** Tests each guarantee under each fault. The returned function renders the results as Markdown. */
export function describeMatrix<Trial extends { readonly name: string }>(matrix: Matrix<Trial>): () => string {
  const { title, rows, guarantees } = matrix;
  const findings = new Map(rows.map(({ name }) => [name, new Map<string, Cell>()]));

  describe(title, () => {
    describe.each(rows)('$name', ({ name, trials, without = {}, remove }) => {
      let all: readonly Trial[] = [];
      beforeAll(async () => {
        all = await trials();
      });
      afterAll(() => {
        all = [];
        remove?.();
      });

      test.each(guarantees)(`${name}: $name`, ({ name: guarantee, check }) => {
        const found = findings.get(name);
        found?.set(guarantee, 'broken');
        let checked = 0;
        for (const trial of all) {
          try {
            if (check(trial)) checked += 1;
          } catch (error) {
            throw new Error(`${trial.name}: ${(error as Error).message}`, { cause: error });
          }
        }
        const reason = without[guarantee];
        expect(reason === undefined, 'a guarantee is checked, or there is a reason why not').toBe(
          checked > 0,
        );
        found?.set(guarantee, reason === undefined ? { trials: checked } : { reason });
      });
    });
  });

  return () => renderMatrix(matrix, findings);
}

function renderMatrix<Trial>(
  { title, text, rows, guarantees }: Matrix<Trial>,
  findings: ReadonlyMap<string, ReadonlyMap<string, Cell>>,
): string {
  const reasons: string[] = [];
  const show = (cell: Cell | undefined) => {
    if (!cell) return 'not run';
    if (cell === 'broken') return '**broken**';
    if ('trials' in cell) return `✓ ${cell.trials}`;
    if (!reasons.includes(cell.reason)) reasons.push(cell.reason);
    return `n/a (${reasons.indexOf(cell.reason) + 1})`;
  };
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = rows.map(({ name }) => {
    const found = findings.get(name);
    return line([name, ...guarantees.map((guarantee) => show(found?.get(guarantee.name)))]);
  });
  return [
    `## ${title}`,
    '',
    text,
    '',
    line(['', ...guarantees.map(({ name }) => name)]),
    line(['---', ...guarantees.map(() => '---')]),
    ...lines,
    '',
    ...reasons.map((reason, index) => `${index + 1}. ${reason}`),
    ...(reasons.length > 0 ? [''] : []),
  ].join('\n');
}
