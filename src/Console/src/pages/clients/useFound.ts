import { type PagedList, usePagedList, withQuery } from "../../api/lists.ts";
import { usePolled } from "../../api/polled.ts";
import { useSettled } from "../../parts/useSettled.ts";

/** Rows are drawn up to here: nobody reads more, and the page stays quick. */
const MOST_SHOWN = 200;

export interface Found<T> {
  list: PagedList<T>;
  rows: T[] | null;
  error: unknown;
  refresh: () => void;
  /** How many match; more than are shown. Null: nothing is searched. */
  count: number | null;
}

/** A list page by page; with a search, what the gateway finds in all of it. */
export function useFound<T>(path: string, member: string, search: string): Found<T> {
  const words = useSettled(search.trim(), 300);
  const list = usePagedList<T>(words ? null : path, member, 3_000);
  const found = usePolled<Record<string, unknown> & { found: number }>(
    words ? withQuery(path, { q: words, limit: String(MOST_SHOWN) }) : null,
    5_000,
  );
  if (!words) return { list, rows: list.rows, error: list.error, refresh: list.refresh, count: null };
  return {
    list,
    rows: found.data ? (found.data[member] as T[]) : null,
    error: found.error,
    refresh: found.refresh,
    count: found.data?.found ?? null,
  };
}
