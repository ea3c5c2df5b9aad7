import { LuidContentError, messageWithoutHint } from '../../shared/errors.ts';
import { pluralize } from '../../shared/format-count.ts';

/** Loads that run at the same time. */
interface Round {
  running: number;
  readonly errors: Map<string, LuidContentError>;
  readonly ended: PromiseWithResolvers<void>;
}

/**
 * Reports the invalid content of all collections of a space in one error. Astro starts all loaders at once and prints the
 * error of the first that fails, so a load with invalid content waits for the others before it fails.
 */
export class ContentErrorsOfLoads {
  #round: Round | undefined;

  async collect(collection: string, load: () => Promise<void>): Promise<void> {
    const round = this.#round ?? { running: 0, errors: new Map(), ended: Promise.withResolvers<void>() };
    this.#round = round;
    round.running += 1;
    try {
      await load();
      return;
    } catch (error) {
      if (!LuidContentError.is(error)) throw error;
      round.errors.set(collection, error);
    } finally {
      round.running -= 1;
      if (round.running === 0) {
        this.#round = undefined;
        round.ended.resolve();
      }
    }
    await round.ended.promise;
    throw joinErrors(round.errors);
  }
}

function joinErrors(errors: ReadonlyMap<string, LuidContentError>): LuidContentError {
  const [first, ...others] = errors.values();
  if (first && others.length === 0) return first;
  const messages = [...errors].map(([collection, error]) => {
    const message = messageWithoutHint(error);
    return message.startsWith(`${collection}: `) ? message : `${collection}: ${message}`;
  });
  const hints = new Set([...errors.values()].flatMap(({ hint }) => hint ?? []));
  return new LuidContentError(
    `${pluralize(errors.size, 'collection')} cannot be loaded:\n${messages.join('\n')}`,
    { model: first?.model, id: first?.id, field: first?.field, hint: [...hints].join('\n  → ') },
  );
}
