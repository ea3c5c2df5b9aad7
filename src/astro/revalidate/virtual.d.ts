/** Provided by Astro's Vite plugin. The types of a site's own collections are generated there. */
declare module 'astro:content' {}

/** What the integration passes to the server of the site. */
declare module 'virtual:astro-luid/revalidate' {
  const settings: {
    readonly isDev: boolean;
    /** SHA-256 of the option `refreshSecret`, in hex. */
    readonly refreshSecretHash: string | undefined;
  };
  export default settings;
}
