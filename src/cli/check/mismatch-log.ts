/** How content and map disagree. */
export type Problem = 'missing' | 'extra' | 'type' | 'empty' | 'option' | 'language';

/** One disagreement, with all items that show it. */
export interface Drift {
  /** Empty where it is about the space. */
  readonly model: string;
  /** `seo.description`, `sections.hero.image`; empty where it is about the whole model. */
  readonly field: string;
  readonly problem: Problem;
  /** What is wrong, by the first item that shows it. */
  readonly message: string;
  /** How many items show it, and the first of them. */
  readonly items: number;
  readonly ids: readonly number[];
}

const MOST_IDS = 20;

/** Gathers what single items show into one drift for each field and problem. */
export class DriftLog {
  readonly #found = new Map<string, Drift & { ids: number[]; items: number; seen: Set<number> }>();

  add(model: string, field: string, problem: Problem, message: string, id?: number): void {
    const key = `${model} ${field} ${problem}`;
    const drift = this.#found.get(key) ?? {
      model,
      field,
      problem,
      message,
      items: 0,
      ids: [],
      seen: new Set<number>(),
    };
    this.#found.set(key, drift);
    if (id === undefined || drift.seen.has(id)) return;
    drift.seen.add(id);
    drift.items += 1;
    if (drift.ids.length < MOST_IDS) drift.ids.push(id);
  }

  get all(): Drift[] {
    return [...this.#found.values()].map(({ seen, ...drift }) => drift);
  }
}
