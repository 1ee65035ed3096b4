import type { PagedList } from "../api/lists.ts";

/** To the other pages of a list; nothing where all stands on one. */
export function Pager<T>({ list }: { list: PagedList<T> }) {
  if (!list.hasNext && !list.hasBefore) return null;
  return (
    <nav class="row" aria-label="Pages of the list">
      <button type="button" class="small-button" disabled={!list.hasBefore} onClick={list.before}>
        Back
      </button>
      <button type="button" class="small-button" disabled={!list.hasNext} onClick={list.next}>
        Next {list.rows?.length ?? ""}
      </button>
    </nav>
  );
}
