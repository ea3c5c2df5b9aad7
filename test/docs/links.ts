import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A text without code blocks, in which nothing is a link or a heading. */
export function prose(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, '');
}

/** The anchors that GitHub creates for headings. */
export function anchorsIn(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The links and images of a text that lead to files, as they are written. */
export function linksIn(text: string): { link: string; path: string; anchor: string | undefined }[] {
  return [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => {
    const [path = '', anchor] = link.split('#');
    return { link, path, anchor };
  });
}

/** The links of a document that lead to no file below the root, or to no heading. */
export function deadLinks(root: string, document: string): string[] {
  const read = (name: string) => prose(readFileSync(join(root, name), 'utf8'));
  const dead = linksIn(read(document)).filter(({ path, anchor }) => {
    const target = path ? join(dirname(document), path) : document;
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !anchorsIn(read(target)).includes(anchor);
  });
  return dead.map(({ link }) => link);
}
