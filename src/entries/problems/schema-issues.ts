import type { Issue } from './invalid-item.ts';

const ISSUE_LINE = /^\s*\*\*(.+?)\*\*:\s*(.+)$/;

/** The issues of a site's own schema, parsed from Astro's message: `**seo.title**: Required`. */
export function parseSchemaIssues(error: unknown): Issue[] {
  const message = error instanceof Error ? error.message : String(error);
  const issues = message.split('\n').flatMap((line): Issue[] => {
    const [, path, problem] = ISSUE_LINE.exec(line) ?? [];
    return path && problem ? [{ path: path.split('.').map(toKey), message: problem }] : [];
  });
  return issues.length > 0 ? issues : [{ path: [], message }];
}

function toKey(key: string): string | number {
  return /^\d+$/.test(key) ? Number(key) : key;
}
