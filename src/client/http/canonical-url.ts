/** The parameters of a request, by the names that the service uses. */
export type QueryParameters = { readonly [name: string]: string | number | boolean | undefined };

/**
 * The URL of a query with its parameters sorted. The CDN caches by the exact URL (§8), so equal
 * queries must have equal URLs.
 */
export function canonicalUrl(baseUrl: string, path: string, parameters: QueryParameters = {}): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const search = new URLSearchParams(pairs).toString();
  return `${baseUrl}${path}${search && `?${search}`}`;
}
