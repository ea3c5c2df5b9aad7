/** Where facts about assets are stored. Another format of them needs another folder. */
export const FACT_FOLDERS = { dimensions: 'sizes-v4', placeholders: 'placeholders-v2' } as const;

/** What the name of a stored file is signed with the API key for. */
export const factPurpose = (folder: string) => `astro-luid cache ${folder}`;
