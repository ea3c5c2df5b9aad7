/** Something about the content that a site's owner should know. */
export interface Finding {
  /** Equal for the same thing, found again elsewhere or at another time. */
  readonly key: string;
  readonly line: string;
}
