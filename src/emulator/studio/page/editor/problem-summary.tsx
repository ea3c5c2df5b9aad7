import type { LanguageProblems } from './model/editing.ts';

interface ProblemSummaryProps {
  readonly problems: readonly LanguageProblems[];
  readonly onShow: (lang: string, path: string) => void;
}

/** The values that the emulator refused, with links to their fields. */
export function ProblemSummary({ problems, onShow }: ProblemSummaryProps) {
  const all = problems.flatMap(({ lang, problems: some }) => some.map((problem) => ({ lang, ...problem })));
  if (all.length === 0) return null;
  return (
    <section class="problem-summary" role="alert">
      <h2>{all.length === 1 ? '1 field is not valid' : `${all.length} fields are not valid`}</h2>
      <ul>
        {all.map(({ lang, path, message }) => (
          <li key={`${lang}.${path}`}>
            <button type="button" class="link" onClick={() => onShow(lang, path)}>
              {path} ({lang})
            </button>
            : {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
