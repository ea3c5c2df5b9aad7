/**
 * The same file where the studio reads it: not among the requests of sites, which are logged and hit by faults. Works for a
 * URL and for all URLs in HTML.
 */
export function previewUrl(text: string, assetsUrl: string): string {
  return text.replaceAll(`${assetsUrl}/`, `${location.origin}/_studio/assets/`);
}
