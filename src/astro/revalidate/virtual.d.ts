/** Provided by Astro's Vite plugin. The types of a site's own collections are generated there. */
declare module 'astro:content' {}

/** What the integration passes to the server of the site. */
declare module 'virtual:astro-luid/revalidate' {
  const settings: {
    readonly isDev: boolean;
    /** SHA-256 of the option `refreshSecret`, in hex. */
    readonly refreshSecretHash: string | undefined;
    /** The option `refreshHeader`, in lower case. */
    readonly refreshHeader: string | undefined;
    /** Whether visitors may see drafts. */
    readonly hasPreview: boolean;
    /** Whether the provider of the route cache is another one than Astro's own in memory. */
    readonly hasOutsideCache: boolean;
  };
  /** Absent if the site has no live.config. */
  export const loadLiveConfig: import('../live/collection-names.ts').LoadLiveConfig | undefined;
  export default settings;
}
