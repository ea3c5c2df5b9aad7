import type { MiddlewareHandler } from 'astro';

/** Pages in the route cache are served without the middleware, so this logs what is rendered. */
export const onRequest: MiddlewareHandler = ({ url }, next) => {
  console.log(`rendering ${url.pathname}`);
  return next();
};
