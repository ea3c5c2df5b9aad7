/** Astro's logger, or one that writes to the terminal. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
}
