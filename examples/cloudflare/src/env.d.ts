declare module 'cloudflare:workers' {
  /** The bindings of wrangler.jsonc; `npx wrangler types` writes the types of all of them. */
  export const env: { readonly CONTENT: never };
}
