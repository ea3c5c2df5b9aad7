export { field } from './models/field.ts';
export { createSchemas } from './models/schema.ts';
export { checkModels } from './models/check.ts';
export type { Entry } from './models/types.ts';
