/** The field types with `link: 'reference'`, for the client, which must not load zod and so no field types. */
export const REFERENCE_TYPES: readonly (string | undefined)[] = ['reference'];
