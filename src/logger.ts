/** Where lines for the user go: Astro's logger, or the terminal. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
}
