/** The field types with `text: 'rich'`, for the client, which must not load zod and so no field types. */
export const RICH_TEXT_TYPES: readonly (string | undefined)[] = ['flexible_text'];
