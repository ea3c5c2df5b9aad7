import type { Operator } from '../../contract/parameters.ts';
import { badRequest } from '../http/http-error.ts';
import type { ValueTest } from './field-behaviour.ts';
import { parseOperandInstant } from './instants.ts';

/** The conditions that field types and system properties share. Each gets only operators that it allows. */

/** Text and option values. The empty operand finds empty values. */
export function testText(operator: Operator, operand: string, plain = (text: string) => text): ValueTest {
  if (operator === 'contains') {
    const words = keywords(operand);
    return (kept) => containsAll(plain((kept as string | undefined) ?? '').toLowerCase(), words);
  }
  if (operator === 'in') {
    const any = new Set(operand.split(','));
    return (kept) => any.has((kept as string | undefined) ?? '');
  }
  return (kept) => ((kept as string | undefined) ?? '') === operand;
}

/** The keywords of a `contains`: all must occur, in any case of letters. */
export function keywords(operand: string): string[] {
  const words = new Set(operand.split(',').map((word) => word.toLowerCase()));
  words.delete('');
  return [...words];
}

function containsAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

export function testBoolean(_operator: Operator, operand: string): ValueTest {
  if (operand !== 'true' && operand !== 'false') throw badRequest();
  const wanted = operand === 'true';
  return (kept) => kept === wanted;
}

export function testId(operator: Operator, operand: string): ValueTest {
  const ids = new Set((operator === 'in' ? operand.split(',') : [operand]).map(readInteger));
  return (kept) => ids.has(kept as number);
}

function readInteger(text: string): number {
  if (!/^\d+$/.test(text)) throw badRequest();
  return Number(text);
}

export function testHas(_operator: Operator, operand: string): ValueTest {
  return (kept) => Array.isArray(kept) && kept.includes(operand);
}

/** Instants, whatever their offset. An empty one is neither before nor after. */
export function testInstant(operator: Operator, operand: string): ValueTest {
  const bound = parseOperandInstant(operand);
  const compare = COMPARISONS[operator as keyof typeof COMPARISONS];
  return (kept) => typeof kept === 'number' && compare(kept, bound);
}

const COMPARISONS = {
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
};
