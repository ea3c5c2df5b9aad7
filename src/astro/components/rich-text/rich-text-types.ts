import type { HTMLAttributes, HTMLTag } from 'astro/types';
import type { RichTextTag } from './element-names.ts';

/** The attributes of an element, as Astro knows them; of an obsolete one, those of every element. */
type AttributesOf<T extends RichTextTag> = HTMLAttributes<T extends HTMLTag ? T : 'span'>;

/** Attributes of HTML are strings; boolean ones are `true`. */
type FromHtml<V> = 0 extends 1 & V ? string | true : Extract<V, string> | (true extends V ? true : never);

/** Attributes that are passed: no index signatures, no directives of Astro, no names that frameworks use. */
type Passed<K> = string extends K
  ? never
  : K extends `${string}:${string}` | `data-${string}` | 'children' | 'key' | 'ref'
    ? never
    : K & string;

/**
 * The props of the component that `RichText` renders an element with: its attributes, `RichTextProps<'a'>`. An
 * attribute that an element does not have is not in the props.
 */
export type RichTextProps<T extends RichTextTag> = {
  [K in keyof AttributesOf<T> as Passed<K>]?: FromHtml<AttributesOf<T>[K]>;
};

/** A component of Astro, or of a framework. */
type Component<P> = (props: P) => unknown;

/** Element → the component that renders it, with the attributes as props and the content as default slot. */
export type RichTextComponents = {
  readonly [T in RichTextTag]?: Component<RichTextProps<T>> | undefined;
} & {
  readonly [custom: `${string}-${string}`]: Component<Record<string, string>> | undefined;
};
