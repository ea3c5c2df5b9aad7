import type { Environment } from '../../../space/environment/env-files.ts';
import type { Inferred } from '../../infer/infer.ts';
import type { Survey } from '../../survey/survey.ts';
import type { Credentials } from '../connect.ts';
import type { GitState } from '../env/git.ts';
import type { ProjectFolder } from '../inspect-project.ts';
import type { SpaceExport } from '../site/site-files.ts';
import type { Collection } from '../space-file/collections.ts';

/** The space file, relative to the project, and the export name of the space if it is known. */
type PlannedSpace = Omit<SpaceExport, 'name'> & { readonly name: string | undefined };

export interface PlanContext {
  readonly project: ProjectFolder;
  readonly survey: Survey;
  readonly inferred: Inferred;
  /** The collections whose models the resulting space file declares. */
  readonly collections: readonly Collection[];
  readonly space: PlannedSpace;
  readonly credentials: Credentials;
  /** The environment with the project's `.env` files. */
  readonly environment: Environment;
  readonly envInGit: GitState;
  /** Planning adds to it. */
  readonly warnings: string[];
}

export function hasName(space: PlannedSpace): space is SpaceExport {
  return space.name !== undefined;
}
