import { posix } from 'node:path';
import { LuidError } from '../../../shared/errors.ts';
import type { Inferred } from '../../infer/infer.ts';
import type { Survey } from '../../survey/survey.ts';
import { parseSource, unlessUnsupported } from '../edit/parse-source.ts';
import type { ProjectFolder } from '../inspect-project.ts';
import { generateSpaceFile, type SpaceSettings } from '../space-file/generate-space-file.ts';
import { updateSpace } from '../space-file/space-update.ts';
import { compareWithDisk, type PlannedFile } from './planned-file.ts';

/** Plans the space file. It comes first: the other files depend on what it declares. */
export function planSpaceFile(
  { folder, spaceFile: existing, srcDir }: ProjectFolder,
  survey: Survey,
  inferred: Inferred,
  settings: SpaceSettings,
): PlannedFile {
  const text = generateSpaceFile(inferred, survey, settings);
  const updateOf = (code: string) => unlessUnsupported(() => updateSpace(code, inferred, survey));
  verifyGenerated('src/space.ts', text, 2, () => updateOf(text)?.differences.length === 0);
  const file = compareWithDisk(folder, existing ?? posix.join(srcDir, 'space.ts'), text);
  const update = file.state === 'different' ? updateOf(file.before ?? '') : undefined;
  if (!update) return file;
  return { ...file, update, state: update.differences.length > 0 ? 'different' : 'same' };
}

/** Whatever its content is called, a generated file must be read as it was meant, with nothing else in it. */
export function verifyGenerated(
  path: string,
  text: string,
  statements: number,
  isCorrect: () => boolean,
): void {
  const source = unlessUnsupported(() => parseSource(text));
  if (source?.body.length === statements && isCorrect()) return;
  throw new LuidError(`The generated ${path} does not match the inferred models, so nothing was written`, {
    hint: 'This is a bug in astro-luid: please report it with the output of --json.',
  });
}
