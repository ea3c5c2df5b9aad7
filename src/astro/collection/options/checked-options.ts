/**
 * The type of a parameter whose options are inferred as `O`: `O` itself, if its values fit, and it has only names that exist.
 * Else `Options`, so that the compiler reports what does not fit, lists what does, and suggests other names.
 */
export type Checked<O, Options> = [O] extends [Options]
  ? [UnknownNames<O, Options>] extends [never]
    ? O
    : OptionsFrom<O, Options>
  : OptionsFrom<O, Options>;

/** Of a union of options, those that `from` chooses in `O`. */
export type OptionsFrom<O, Options> = [ChosenFrom<O, Options>] extends [never]
  ? Options
  : ChosenFrom<O, Options>;
type ChosenFrom<O, Options> = Options extends { readonly from?: infer From }
  ? (O extends { readonly from: infer Chosen } ? Chosen : undefined) extends From
    ? Options
    : never
  : never;

/** The names in `O`, at any depth, that `Options` does not have. */
type UnknownNames<O, Options> = O extends Value
  ? never
  : UnknownNamesIn<O, Exclude<OptionsFrom<O, Options>, Value>>;
type UnknownNamesIn<O, Options> = {
  [K in keyof O]: K extends NamesOf<Options> ? UnknownNames<O[K], PropertyOf<Options, K>> : K;
}[keyof O];

/** Has no options of its own. */
type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | Date
  | readonly unknown[]
  | ((..._: never) => unknown);

type NamesOf<Options> = Options extends unknown ? keyof Options : never;
type PropertyOf<Options, K> = Options extends unknown
  ? K extends keyof Options
    ? Options[K]
    : never
  : never;
