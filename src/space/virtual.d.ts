/** Astro's secrets, which its Vite plugin provides; there is no such module outside of Astro. */
declare module 'astro:env/server' {
  export const getSecret: (name: string) => string | undefined;
}

/** Shipped as they are; Astro's own tools know their types. */
declare module '*.astro' {
  const component: (props: Record<string, unknown>) => unknown;
  export default component;
}
