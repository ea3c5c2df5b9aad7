/** Attributes whose presence means `true`, whatever their value. */
const BOOLEANS: ReadonlySet<string> = new Set(
  (
    'allowfullscreen async autofocus autoplay checked controls default defer disabled disablepictureinpicture ' +
    'disableremoteplayback formnovalidate inert ismap itemscope loop multiple muted nomodule noshade novalidate ' +
    'nowrap open playsinline readonly required reversed selected'
  ).split(' '),
);

/** Attributes that mean `true` only without a value. */
const BOOLEANS_WITHOUT_VALUE: ReadonlySet<string> = new Set(['download', 'hidden']);

/** Names that frameworks give a meaning of their own to. */
const RESERVED: ReadonlySet<string> = new Set(['__proto__', 'children', 'key', 'ref']);

/** Directives of Astro, which text must not give to a component. */
const DIRECTIVE = /^(?:class|client|define|is|server|set|transition):/;

const UNUSABLE_NAME = /[\s"'<>/=`\0]/;

/** Values of attributes: `true` for boolean ones, otherwise the decoded string. */
export type ElementProps = Readonly<Record<string, string | true>>;

interface Attribute {
  readonly name: string;
  readonly value: string;
}

/** The props of the component that renders an element. */
export function elementProps(tagName: string, attributes: readonly Attribute[]): ElementProps {
  // Frameworks write `true` as a string on custom elements.
  const isCustom = tagName.includes('-');
  const props = attributes.map(({ name, value }): [string, string | true] => {
    const isTrue = BOOLEANS.has(name) || (value === '' && BOOLEANS_WITHOUT_VALUE.has(name));
    return [name, isTrue && !isCustom ? true : value];
  });
  return Object.fromEntries(props.filter(([name]) => isUsable(name)));
}

function isUsable(name: string): boolean {
  return !RESERVED.has(name) && !DIRECTIVE.test(name) && !UNUSABLE_NAME.test(name);
}
