import { hashOf, lastingPart } from './lab.ts';
import type { Exchange, Spoil } from './proxy.ts';

/** Numbers below another that are the same in every run from one seed. */
export type Chance = (below: number) => number;

export function chanceFrom(seed: number | string): Chance {
  let n = 0;
  return (below) => hashOf(`${seed} ${n++}`) % below;
}

/**
 * Every fifth request meets one of these faults. Which one does depends on what is asked, and how often it
 * was, not on the order in which requests happen to arrive.
 */
export function faultsByChance(seed: string, spoils: Readonly<Record<string, Spoil>>) {
  const names = Object.keys(spoils);
  const asked = new Map<string, number>();
  return ({ url }: Exchange) => {
    const what = lastingPart(url);
    const times = (asked.get(what) ?? 0) + 1;
    asked.set(what, times);
    const chance = chanceFrom(`${seed} ${what} ${times}`);
    if (chance(5) > 0) return undefined;
    const name = names[chance(names.length)] as string;
    return { name, spoil: spoils[name] as Spoil };
  };
}
