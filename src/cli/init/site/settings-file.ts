import { propertyName, quoted } from '../space-file/code-literals.ts';
import type { Section } from './sections.ts';

/** `settings.ts` of a new site: its languages, and the models that have pages. */
export function settingsFile(sections: readonly Section[], name: string, main: string): string {
  const found = [...new Set(sections.flatMap((section) => section.langs ?? []))];
  const langs = found.length > 0 ? found : [main];
  const homeUrl = found.length > 0 ? `(lang: string) => \`/\${lang}/\`` : `(_lang: string) => '/'`;
  return `export const name = ${quoted(name)};
/** The languages, the main one first. */
export const langs = [${langs.map((lang) => quoted(lang)).join(', ')}];
export const mainLang = ${quoted(langs[0] ?? main)};
/** Of the dates on pages. */
export const timeZone = ${quoted(Intl.DateTimeFormat().resolvedOptions().timeZone)};
export const homeUrl = ${homeUrl};

export interface Section {
  title: string;
  /** The folder of its pages. */
  folder: string;
  langs: string[];
  /** The fields that give the id, and the image and text in lists. */
  id: string;
  image?: string;
  lead?: string;
}

/** The models that have pages. */
export const sections = {
${sections.map((section) => `  ${sectionCode(section, main)},`).join('\n')}
} satisfies Record<string, Section>;
`;
}

function sectionCode({ model, folder, langs, id, image, lead }: Section, main: string): string {
  const properties = [
    `title: ${quoted(labelOf(model))}`,
    `folder: ${quoted(folder)}`,
    `langs: [${(langs ?? [main]).map((lang) => quoted(lang)).join(', ')}]`,
    `id: ${quoted(id)}`,
    image !== undefined && `image: ${quoted(image)}`,
    lead !== undefined && `lead: ${quoted(lead)}`,
  ].filter((property) => property !== false);
  return `${propertyName(model)}: { ${properties.join(', ')} }`;
}

/** `starts_at` → `Starts at` */
export function labelOf(luid: string): string {
  const words = luid.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
