/** The color at a place (0 to 1) in a ThumbHash, by its specification and without the package that encodes it. */
export function thumbHashColorAt(base64: string, x: number, y: number): [number, number, number, number] {
  const bits = [...Buffer.from(base64, 'base64')].flatMap((byte) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => (byte >> bit) & 1),
  );
  const take = (count: number) =>
    bits.splice(0, count).reduce((value, bit, position) => value + bit * 2 ** position, 0);
  const luminance = take(6) / 63;
  const yellowBlue = take(6) / 31.5 - 1;
  const redGreen = take(6) / 31.5 - 1;
  const luminanceScale = take(5) / 31;
  const hasAlpha = take(1) === 1;
  const shortSide = take(3);
  const yellowBlueScale = take(6) / 63;
  const redGreenScale = take(6) / 63;
  const isLandscape = take(1) === 1;
  const longSide = hasAlpha ? 5 : 7;
  const [columns, rows] = isLandscape ? [longSide, shortSide] : [shortSide, longSide];
  const opacity = hasAlpha ? take(4) / 15 : 1;
  const opacityScale = hasAlpha ? take(4) / 15 : 0;

  const channel = (constant: number, scale: number, width: number, height: number) => {
    let sum = constant;
    for (let v = 0; v < height; v++) {
      for (let u = 0; u * height < width * (height - v); u++) {
        if (u === 0 && v === 0) continue;
        const factor = (take(4) / 7.5 - 1) * scale;
        sum += factor * Math.cos(Math.PI * u * x) * Math.cos(Math.PI * v * y) * 2;
      }
    }
    return sum;
  };
  const l = channel(luminance, luminanceScale, Math.max(3, columns), Math.max(3, rows));
  const p = channel(yellowBlue, yellowBlueScale * 1.25, 3, 3);
  const q = channel(redGreen, redGreenScale * 1.25, 3, 3);
  const alpha = hasAlpha ? channel(opacity, opacityScale, 5, 5) : 1;
  const blue = l - (2 / 3) * p;
  const red = (3 * l - blue + q) / 2;
  const byte = (value: number) => Math.round(255 * Math.min(1, Math.max(0, value)));
  return [byte(red), byte(red - q), byte(blue), byte(alpha)];
}
