import type { Operator } from '../../contract/parameters.ts';
import { badRequest } from '../http/http-error.ts';
import type { ValueTest } from './field-behaviour.ts';
import { parseOperandInstant } from './instants.ts';

// Conditions that field types and system properties share. Each is called with operators that it supports.

/** Strings. An empty operand matches empty values. */
export function testText(operator: Operator, operand: string, plain = (text: string) => text): ValueTest {
  if (operator === 'contains') {
    const words = keywords(operand);
    return (stored) => containsAll(plain((stored as string | undefined) ?? '').toLowerCase(), words);
  }
  if (operator === 'in') {
    const any = new Set(operand.split(','));
    return (stored) => any.has((stored as string | undefined) ?? '');
  }
  return (stored) => ((stored as string | undefined) ?? '') === operand;
}

/** The keywords of a `contains`, in lower case. */
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
  return (stored) => stored === wanted;
}

export function testId(operator: Operator, operand: string): ValueTest {
  const ids = new Set((operator === 'in' ? operand.split(',') : [operand]).map(readInteger));
  return (stored) => ids.has(stored as number);
}

function readInteger(text: string): number {
  if (!/^\d+$/.test(text)) throw badRequest();
  return Number(text);
}

export function testHas(_operator: Operator, operand: string): ValueTest {
  return (stored) => Array.isArray(stored) && stored.includes(operand);
}

/** Times with any offset. An empty value is neither before nor after another. */
export function testInstant(operator: Operator, operand: string): ValueTest {
  const bound = parseOperandInstant(operand);
  const compare = COMPARISONS[operator as keyof typeof COMPARISONS];
  return (stored) => typeof stored === 'number' && compare(stored, bound);
}

const COMPARISONS = {
  lt: (a: number, b: number) => a < b,
  lte: (a: number, b: number) => a <= b,
  gt: (a: number, b: number) => a > b,
  gte: (a: number, b: number) => a >= b,
};
