/** A Vite plugin that passes settings to the code in the server, as the default export of a virtual module. */
export function settingsModule(name: string, settings: object, otherExports = '') {
  const id = `virtual:astro-luid/${name}`;
  return {
    name: `astro-luid:${name}`,
    resolveId: (requested: string) => (requested === id ? `\0${id}` : undefined),
    load: (requested: string) =>
      requested === `\0${id}` ? `export default ${JSON.stringify(settings)};${otherExports}` : undefined,
  };
}
