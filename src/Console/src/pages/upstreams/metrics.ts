/** One sample of a scrape: the labels by their names. */
export interface Metric {
  labels: Record<string, string>;
  value: number;
}

/** The samples of one metric in the Prometheus text format. */
export function samplesOf(text: string, name: string): Metric[] {
  const found: Metric[] = [];
  for (const line of text.split("\n")) {
    if (!line.startsWith(name)) continue;
    const match = /^([^{\s]+)(?:\{(.*)\})?\s+(\S+)/.exec(line);
    if (!match || match[1] !== name) continue;
    found.push({ labels: labelsOf(match[2] ?? ""), value: Number(match[3]) });
  }
  return found;
}

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const match of text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)) {
    const value = (match[2] ?? "").replace(/\\(.)/g, (_whole, sign: string) => (sign === "n" ? "\n" : sign));
    labels[match[1] ?? ""] = value;
  }
  return labels;
}
