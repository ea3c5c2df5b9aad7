/** The frames of an image: what was shown, and for how long. A frame that equals the one before it extends that. */
export class Recording {
  /** `{ image, duration }`, in milliseconds; `image` is a PNG file. */
  frames = [];

  add(image, duration) {
    const last = this.frames.at(-1);
    if (last?.image.equals(image)) last.duration += duration;
    else this.frames.push({ image, duration });
  }
}
