/** What makes the service answer with an error of §7. */
export class BadRequest extends Error {
  readonly status: number;
  constructor(status = 400) {
    super(`the answer is ${status}`);
    this.status = status;
  }
}
