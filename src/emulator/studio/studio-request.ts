/** A request to the studio's API and what its path contains. */
export interface StudioRequest {
  readonly request: Request;
  readonly query: URLSearchParams;
  /** Empty where the path has none. */
  readonly id: string;
  readonly action: string;
}
