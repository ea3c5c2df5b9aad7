/** What the integration passes to the server of the site. */
declare module 'virtual:astro-luid/preview' {
  const settings: import('./preview-settings.ts').PreviewSettings;
  export default settings;
}
