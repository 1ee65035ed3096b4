import { type PagedList, readAll, usePagedList } from "../../api/lists.ts";
import { usePolling } from "../../api/polled.ts";
import { matching } from "./matching.ts";

/** Rows are drawn up to here: nobody reads more, and the page stays quick. */
const MOST_SHOWN = 200;

export interface Found<T> {
  list: PagedList<T>;
  rows: T[] | null;
  /** All that the last answer brought, shown or not: the same list until the next answer. */
  answered: T[] | null;
  error: unknown;
  refresh: () => void;
  /** How many match; more than are shown. Null: nothing is searched. */
  count: number | null;
}

/** A list page by page; with a search, all of its pages are looked through. */
export function useFound<T>(
  path: string,
  member: string,
  search: string,
  textsOf: (row: T) => (string | undefined)[],
): Found<T> {
  const isSearch = search.trim() !== "";
  const list = usePagedList<T>(path, member, 3_000);
  const all = usePolling<T[]>(isSearch ? `${path} all` : null, 10_000, (signal) => readAll<T>(path, member, signal));
  if (!isSearch)
    return { list, rows: list.rows, answered: list.rows, error: list.error, refresh: list.refresh, count: null };
  const found = all.data ? matching(all.data, search, textsOf) : null;
  return {
    list,
    rows: found?.slice(0, MOST_SHOWN) ?? null,
    answered: all.data,
    error: all.error,
    refresh: all.refresh,
    count: found?.length ?? null,
  };
}
