/** A bar of a chart. */
export interface Bar {
  readonly label: string;
  /** Infinite if it was not measured to the end. */
  readonly value: number;
  /** Shown behind the bar. */
  readonly text: string;
  readonly kind: 'ours' | 'other' | 'wrong';
}

/** Bars that are compared with each other: the longest is as wide as the chart. */
export interface BarGroup {
  readonly title: string;
  readonly bars: readonly Bar[];
}

const [WIDTH, LABEL_WIDTH, BAR_HEIGHT, ROW_HEIGHT, GAP, MAX_BAR] = [760, 240, 14, 20, 34, 400];

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328; }
  .title { font-weight: 600; }
  .ours { fill: #0969da; } .other { fill: #8c959f; } .wrong { fill: #cf222e; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .ours { fill: #4493f8; } .other { fill: #7d8590; } .wrong { fill: #f85149; }
  }`;

/** A bar chart as an SVG image, which `label` describes. */
export function barChart(label: string, groups: readonly BarGroup[]): string {
  const lines: string[] = [];
  let y = 20;
  for (const { title, bars } of groups) {
    const longest = Math.max(...bars.map(({ value }) => value).filter(Number.isFinite));
    lines.push(`<text class="title" x="0" y="${y}">${escapeXml(title)}</text>`);
    for (const bar of bars) {
      y += ROW_HEIGHT;
      const width = Math.max(2, Math.round(MAX_BAR * Math.min(1, bar.value / longest)));
      lines.push(
        `<text x="${LABEL_WIDTH - 8}" y="${y}" text-anchor="end">${escapeXml(bar.label)}</text>`,
        `<rect class="${bar.kind}" x="${LABEL_WIDTH}" y="${y - BAR_HEIGHT + 3}" width="${width}" height="${BAR_HEIGHT}" rx="2"/>`,
        `<text x="${LABEL_WIDTH + width + 6}" y="${y}">${escapeXml(bar.text)}</text>`,
      );
    }
    y += GAP;
  }
  const height = y - GAP + 12;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="${escapeXml(label)}">
<style>${STYLE}
</style>
${lines.join('\n')}
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
