import { liveSources } from '../live/live-sources.ts';
import { Revalidation } from './revalidation.ts';

/** The revalidation of this site: of one server bundle, because each has its own route cache. */
export const siteRevalidation = new Revalidation(liveSources());
