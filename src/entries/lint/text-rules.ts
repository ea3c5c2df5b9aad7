import { inEachItem, quote, type Rule } from './rule.ts';
import { redact, secretsIn } from './secrets.ts';

export const TEXT_RULES: readonly Rule[] = [
  {
    name: 'heading-order',
    severity: 'warning',
    about: 'headings that skip a level',
    fix: 'Use the next level, so that screen readers and search engines see the outline.',
    find: inEachItem(({ texts }) =>
      texts.flatMap(({ path, headings }) =>
        headings.flatMap(({ depth, text }, index) => {
          const above = headings[index - 1]?.depth ?? depth;
          const message = `h${depth} ${quote(text)} follows h${above}`;
          return depth > above + 1 ? [{ field: path, message }] : [];
        }),
      ),
    ),
  },
  {
    name: 'secret',
    severity: 'error',
    about: 'text that looks like a key, a token or a password',
    fix: 'Remove it, and replace the secret where it is used: it has been published.',
    find: inEachItem(({ texts }) =>
      texts.flatMap(({ path, value }) => {
        const [found] = secretsIn(value);
        if (found === undefined) return [];
        return [{ field: path, message: `${quote(redact(found))} looks like a secret` }];
      }),
    ),
  },
];
