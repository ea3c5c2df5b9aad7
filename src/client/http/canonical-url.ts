/** The parameters of a request, by the names that the service gives them. */
export type QueryParameters = { readonly [name: string]: string | number | boolean | undefined };

/**
 * The one URL of a query: parameters sorted, absent ones left out. The CDN answers only what it has
 * seen letter for letter (§8), so equal queries must give equal URLs.
 */
export function canonicalUrl(baseUrl: string, path: string, parameters: QueryParameters = {}): string {
  const pairs = Object.entries(parameters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
  const search = new URLSearchParams(pairs).toString();
  return `${baseUrl}${path}${search && `?${search}`}`;
}
