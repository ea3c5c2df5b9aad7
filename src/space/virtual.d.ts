/** Provided by Astro's Vite plugin; it does not exist outside of Astro. */
declare module 'astro:env/server' {
  export const getSecret: (name: string) => string | undefined;
}

declare module 'astro:content' {
  export const getCollection: (
    name: string,
  ) => Promise<{ readonly id: string; readonly digest?: string; readonly data: object }[]>;
}

/** Components are shipped as source; Astro's own tools know their types. */
declare module '*.astro' {
  const component: (props: Record<string, unknown>) => unknown;
  export default component;
}
