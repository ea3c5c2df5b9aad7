/** §1: a LUID is user-defined and made of these characters. */
const LUID = /^[a-z0-9_]+$/;

/** §1: the fixed LUID of the parent space. */
export const PARENT_SPACE = '_parent';

export function isLuid(value: unknown): value is string {
  return typeof value === 'string' && LUID.test(value);
}

type LuidCharacter =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z')
  | ('0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '_');

/** `isLuid` for the compiler. A plain `string` passes. */
export type IsLuid<S> = S extends string
  ? string extends S
    ? true
    : S extends `${infer First}${infer Rest}`
      ? First extends LuidCharacter
        ? Rest extends ''
          ? true
          : IsLuid<Rest>
        : false
      : false
  : false;
