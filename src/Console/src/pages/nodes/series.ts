import type { Value } from "../../api/types.ts";

/** Two hours at a value in two seconds. */
const MOST = 3_600;

interface Point {
  /** Seconds since 1970. */
  at: number;
  value: number | null;
}

/** The values of several nodes over time. */
export class Series {
  private points = new Map<string, Point[]>();

  take(values: Value[], now: number): void {
    for (const one of values) {
      const list = this.points.get(one.node) ?? [];
      const told = Date.parse(one.sourceTimestamp ?? "") / 1_000;
      const at = Number.isNaN(told) ? now / 1_000 : told;
      const last = list.at(-1)?.at ?? 0;
      // A clock that goes back must not bend the line back.
      list.push({ at: Math.max(at, last), value: numberOf(one) });
      if (list.length > MOST) list.splice(0, list.length - MOST);
      this.points.set(one.node, list);
    }
  }

  forget(node: string): void {
    this.points.delete(node);
  }

  clear(): void {
    this.points.clear();
  }

  /** Nothing is known of these nodes from here on, until the next value. */
  interrupt(nodes: string[], now: number): void {
    for (const node of nodes) {
      const list = this.points.get(node);
      const last = list?.at(-1);
      if (last && last.value !== null) list?.push({ at: Math.max(now / 1_000, last.at), value: null });
    }
  }

  /** All nodes on common times: between two of its values a node has the one before. */
  aligned(nodes: string[]): { times: number[]; lines: (number | null)[][] } {
    const times = [...new Set(nodes.flatMap((node) => (this.points.get(node) ?? []).map((point) => point.at)))].sort(
      (a, b) => a - b,
    );
    return { times, lines: nodes.map((node) => stepped(this.points.get(node) ?? [], times)) };
  }

  /** For a spreadsheet: a column for each node. */
  csv(nodes: { node: string; name: string }[]): string {
    const { times, lines } = this.aligned(nodes.map((one) => one.node));
    const head = ["time", ...nodes.map((one) => cell(one.node))].join(",");
    const rows = times.map((time, row) =>
      [new Date(time * 1_000).toISOString(), ...lines.map((line) => line[row] ?? "")].join(","),
    );
    return `${[head, ...rows].join("\r\n")}\r\n`;
  }
}

function numberOf(one: Value): number | null {
  if (typeof one.value === "boolean") return one.value ? 1 : 0;
  return typeof one.value === "number" && !one.status.startsWith("Bad") ? one.value : null;
}

function stepped(points: Point[], times: number[]): (number | null)[] {
  let next = 0;
  let value: number | null = null;
  return times.map((time) => {
    for (let point = points[next]; point && point.at <= time; point = points[next]) {
      value = point.value;
      next++;
    }
    return value;
  });
}

/** A name never becomes a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
