const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const dayAndClock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

function parse(time: string | undefined | null): Date | null {
  if (!time) return null;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Today the time alone; before, with its day. In the browser's zone. */
export function moment(time: string | undefined | null, now = new Date()): string {
  const date = parse(time);
  if (!date) return "–";
  return date.toDateString() === now.toDateString() ? clock.format(date) : dayAndClock.format(date);
}

export function full(time: string | undefined | null): string {
  const date = parse(time);
  return date ? dayAndClock.format(date) : "–";
}

export function date(time: string | undefined | null): string {
  const parsed = parse(time);
  return parsed ? day.format(parsed) : "–";
}

const STEPS: [number, string][] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
];

/** A length of time in its two largest units: "3 d 4 h", "12 s", "8 ms". */
export function span(ms: number | undefined | null): string {
  if (ms === undefined || ms === null || !Number.isFinite(ms)) return "–";
  if (Math.abs(ms) < 1_000) return `${Math.round(ms)} ms`;
  const first = STEPS.findIndex(([size]) => Math.abs(ms) >= size);
  const parts: string[] = [];
  let rest = Math.round(Math.abs(ms) / 1_000) * 1_000;
  for (const [size, unit] of STEPS.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return `${ms < 0 ? "−" : ""}${parts.join(" ")}`;
}

/** How long ago. */
export function since(time: string | undefined | null, now = Date.now()): string {
  const date = parse(time);
  return date ? span(Math.max(0, now - date.getTime())) : "–";
}
