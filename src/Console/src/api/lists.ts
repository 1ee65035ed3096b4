import { useEffect, useState } from "preact/hooks";
import { get } from "./client.ts";
import { type Polled, usePolled } from "./polled.ts";

/** A page of a list: its entries stand below a name of their own. */
type PageOf = Record<string, unknown> & { next?: string };

export interface PagedList<T> extends Polled<unknown> {
  rows: T[] | null;
  hasNext: boolean;
  hasBefore: boolean;
  next: () => void;
  before: () => void;
}

/** One page of a list, asked again and again. A null path asks nothing. */
export function usePagedList<T>(path: string | null, member: string, everyMs: number, limit = 100): PagedList<T> {
  const [cursors, setCursors] = useState<string[]>([""]);
  useEffect(() => setCursors([""]), [path]);
  const cursor = cursors.at(-1) ?? "";
  const polled = usePolled<PageOf>(path && withQuery(path, { limit: String(limit), cursor }), everyMs);
  const next = polled.data?.next;
  return {
    ...polled,
    rows: polled.data ? (polled.data[member] as T[]) : null,
    hasNext: next !== undefined,
    hasBefore: cursors.length > 1,
    next: () => next !== undefined && setCursors([...cursors, next]),
    before: () => setCursors(cursors.slice(0, -1)),
  };
}

const LARGE_PAGE = 1_000;

/** Walks through all pages of a list. */
export async function readAll<T>(path: string, member: string, signal: AbortSignal): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    const page: PageOf = await get<PageOf>(withQuery(path, { limit: String(LARGE_PAGE), cursor }), { signal });
    all.push(...(page[member] as T[]));
    cursor = page.next;
  }
  return all;
}

export function withQuery(path: string, query: Record<string, string>): string {
  const given = Object.entries(query).filter(([, value]) => value !== "");
  if (given.length === 0) return path;
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}
