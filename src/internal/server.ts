// What the middleware and the routes of a site import by the name of this package, so that Vite leaves it to Node.
export { previewEndpoint } from '../astro/preview/preview-endpoints.ts';
export { previewRequests } from '../astro/preview/preview-requests.ts';
export { refreshEndpoint } from '../astro/revalidate/refresh-endpoint.ts';
export { revalidationMiddleware } from '../astro/revalidate/revalidation-middleware.ts';
