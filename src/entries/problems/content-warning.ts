/** A warning about content for the site's developer. */
export interface ContentWarning {
  /** Equal for the same problem: a key is logged once. */
  readonly key: string;
  readonly line: string;
}
