import type { OptionsFrom } from './checked-options.ts';

// Names that options do not have, each with a text that the compiler shows as the type of its value: the valid names.

/**
 * The wrong names in options `O`: of options, and in `where`, of a collection and of its lists of backlinks, of fields and
 * operators. Has no properties if there are none.
 */
export type WrongNames<O, Options> = WrongOptions<O, Options> &
  WrongWhere<O, Options> &
  WrongBacklinks<O, Options>;

type WrongOptions<O, Options> = {
  readonly [Name in Exclude<keyof O, keyof Options>]: `unknown option: use ${Joined<keyof Options>}`;
};

type WrongWhere<O, Options> = O extends { readonly where: infer Given }
  ? Options extends { readonly where?: infer Where }
    ? InPlace<'where', WrongFilter<Given, NonNullable<Where>>>
    : unknown
  : unknown;

type WrongBacklinks<O, Options> = O extends { readonly backlinks: infer Given }
  ? Options extends { readonly backlinks?: infer Lists }
    ? InPlace<'backlinks', WrongLists<Given, NonNullable<Lists>[keyof NonNullable<Lists>]>>
    : unknown
  : unknown;

/** The option, if anything in it is wrong. */
type InPlace<Option extends string, Wrong> = [keyof Wrong] extends [never]
  ? unknown
  : { readonly [Name in Option]: Wrong };

type WrongLists<Given, List> = {
  readonly [Name in keyof Given as [keyof WrongWhere<Given[Name], OptionsFrom<Given[Name], List>>] extends [
    never,
  ]
    ? never
    : Name]: WrongWhere<Given[Name], OptionsFrom<Given[Name], List>>;
};

type WrongFilter<Given, Where> = {
  readonly [Path in keyof Given as Path extends keyof Where
    ? [UnknownOperators<Given[Path], Where[Path]>] extends [never]
      ? never
      : Path
    : Path]: Path extends keyof Where
    ? WrongOperators<Given[Path], NonNullable<Where[Path]>, PathsBelow<Path, Where>>
    : `unknown field: use ${Joined<Siblings<Path, Where>>}`;
};

type UnknownOperators<Given, Operators> = Given extends object
  ? Exclude<keyof Given, keyof NonNullable<Operators>>
  : never;

type WrongOperators<Given, Operators, Below> = {
  readonly [Operator in Exclude<keyof Given, keyof Operators>]: [Below] extends [never]
    ? `unknown operator: use ${Joined<keyof Operators>}`
    : `unknown operator: use ${Joined<keyof Operators>}, or one of the keys ${Joined<Below>} beside it`;
};

/** The paths that begin as this one does, else all fields. */
type Siblings<Path, Where> = Path extends `${infer First}.${string}`
  ? [PathsBelow<First, Where>] extends [never]
    ? OwnFields<Where>
    : PathsBelow<First, Where>
  : OwnFields<Where>;
type PathsBelow<First, Where> = Extract<keyof Where, `${First & string}.${string}`>;
type OwnFields<Where> = Exclude<keyof Where, `${string}.${string}` | `_${string}`>;

/** Names as one text: `title, slug, author`. */
type Joined<Names, Text extends string = ''> = [Names] extends [never]
  ? Text
  : LastOf<Names> extends infer Last extends string
    ? Joined<Exclude<Names, Last>, Text extends '' ? Last : `${Last}, ${Text}`>
    : Text;

/** One member of a union: that of the last overload of an intersection of functions. */
type LastOf<Union> = (Union extends unknown ? (_: () => Union) => void : never) extends (_: infer All) => void
  ? All extends () => infer Last
    ? Last
    : never
  : never;
