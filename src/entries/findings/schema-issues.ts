import { errorMessage } from '../../errors.ts';
import type { Issue } from './report.ts';

const MARK = /^\s*\*\*(.+?)\*\*:\s*(.+)$/;

/** What a site's own schema refused, from the message in which Astro lists it: `**seo.title**: Required`. */
export function schemaIssues(error: unknown): Issue[] {
  const message = errorMessage(error);
  const issues = message.split('\n').flatMap((line): Issue[] => {
    const [, path, problem] = MARK.exec(line) ?? [];
    return path && problem ? [{ path: path.split('.').map(keyOf), message: problem }] : [];
  });
  return issues.length > 0 ? issues : [{ path: [], message }];
}

function keyOf(key: string): string | number {
  return /^\d+$/.test(key) ? Number(key) : key;
}
