import sharp, { type Sharp } from 'sharp';

/** A landscape of 3 × 2: a light blue sky, a red sun at the upper right, dark green ground. */
export function landscape(width = 900, height = 600): Sharp {
  return fromSvg(
    `<rect width="900" height="600" fill="#9cd3f2"/>
    <circle cx="720" cy="150" r="130" fill="#e0361f"/>
    <rect y="380" width="900" height="220" fill="#1d4a23"/>`,
    { width, height },
  );
}

/** A violet disc on transparent ground. */
export function disc(width = 300, height = 300): Sharp {
  return fromSvg('<circle cx="450" cy="300" r="200" fill="#6a1fb0"/>', { width, height });
}

function fromSvg(shapes: string, { width, height }: { width: number; height: number }): Sharp {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 600" width="${width}" height="${height}" preserveAspectRatio="none">${shapes}</svg>`;
  return sharp(Buffer.from(svg));
}
