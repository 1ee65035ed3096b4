import { useRef } from "preact/hooks";

interface Seen {
  at: number;
  count: number;
  rate: number | null;
}

/** How fast counters grow: each answer beside the one before it. Counters that are gone are forgotten. */
export class Rates {
  private seen = new Map<string | number, Seen>();

  take(at: number, counters: Iterable<[key: string | number, count: number]>): void {
    const next = new Map<string | number, Seen>();
    for (const [key, count] of counters) next.set(key, this.stepped(at, count, this.seen.get(key)));
    this.seen = next;
  }

  /** A second; null: seen once only. */
  of(key: string | number): number | null {
    return this.seen.get(key)?.rate ?? null;
  }

  private stepped(at: number, count: number, before: Seen | undefined): Seen {
    if (!before) return { at, count, rate: null };
    const seconds = (at - before.at) / 1_000;
    if (seconds < 0.2) return before;
    return { at, count, rate: Math.max(0, count - before.count) / seconds };
  }
}

/** The rates of a list that is asked again and again: each answer once, however often it is drawn. */
export function useRates<T>(rows: T[] | null, keyOf: (row: T) => string | number, countOf: (row: T) => number): Rates {
  const rates = useRef(new Rates());
  const last = useRef<T[] | null>(null);
  if (rows && rows !== last.current) {
    last.current = rows;
    rates.current.take(
      Date.now(),
      rows.map((row) => [keyOf(row), countOf(row)]),
    );
  }
  return rates.current;
}
