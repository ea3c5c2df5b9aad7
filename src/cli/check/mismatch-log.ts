/** How the content does not match the declared models. */
export type Problem = 'missing' | 'extra' | 'type' | 'empty' | 'option' | 'language';

/** One mismatch, with the items it was found in. */
export interface Mismatch {
  /** Empty if it concerns the whole space. */
  readonly model: string;
  /** `seo.description`, `sections.hero.image`; empty if it concerns the whole model. */
  readonly field: string;
  readonly problem: Problem;
  /** Describes the problem in the first of the items. */
  readonly message: string;
  /** How many items have it, and the ids of the first ones. */
  readonly items: number;
  readonly ids: readonly number[];
}

const MAX_IDS = 20;

/** Merges the problems of single items into one mismatch per field and problem. */
export class MismatchLog {
  readonly #found = new Map<string, Omit<Mismatch, 'items' | 'ids'> & { readonly seen: Set<number> }>();

  add(model: string, field: string, problem: Problem, message: string, id?: number): void {
    const key = `${model} ${field} ${problem}`;
    const mismatch = this.#found.get(key) ?? { model, field, problem, message, seen: new Set() };
    this.#found.set(key, mismatch);
    if (id !== undefined) mismatch.seen.add(id);
  }

  get all(): Mismatch[] {
    return [...this.#found.values()].map(({ seen, ...mismatch }) => {
      return { ...mismatch, items: seen.size, ids: [...seen].slice(0, MAX_IDS) };
    });
  }
}
