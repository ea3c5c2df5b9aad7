import type { ModelMap } from '../../models/types.ts';
import { mayReferToAnyModel } from '../reference-fields.ts';
import { groupByFormats, type Models } from './source.ts';

/** Which models the heads of a language cover, and in whose formats they show them. */
export interface HeadsScope {
  /** The models of the first group: their items can be taken from the heads as they are. */
  readonly models: readonly string[];
  /**
   * Every model of the space, if a reference may lead to content of an undeclared one: only so is it seen when such
   * content appears or disappears. Other languages follow the main one in this.
   */
  readonly newestOf: Models;
}

export function headsScope(models: ModelMap, lang: string | undefined): HeadsScope {
  const leadsAnywhere = lang === undefined && Object.values(models).some(mayReferToAnyModel);
  const [first = []] = groupByFormats(models);
  return { models: first, newestOf: leadsAnywhere ? 'all' : Object.keys(models) };
}
