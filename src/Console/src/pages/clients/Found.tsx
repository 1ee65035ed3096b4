import type { ComponentChildren } from "preact";
import { counted } from "../../format/numbers.ts";
import { Fault } from "../../parts/Fault.tsx";
import { Pager } from "../../parts/Pager.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Search } from "../../parts/Search.tsx";
import type { Found } from "./useFound.ts";

interface Props<T> {
  title: string;
  /** What a row is: "session". */
  one: string;
  search: string;
  onSearch: (value: string) => void;
  found: Found<T>;
  empty: ComponentChildren;
  /** Beside the search. */
  choice?: ComponentChildren;
  children: (rows: T[]) => ComponentChildren;
}

/** A list of clients with its search, its pages and what to say where it is empty. */
export function FoundPanel<T>({ title, one, search, onSearch, found, empty, choice, children }: Props<T>) {
  return (
    <Panel title={title} aside={found.count === null ? <Pager list={found.list} /> : null}>
      <div class="row">
        <Search label="Search name, address, application or user" value={search} onInput={onSearch} />
        {choice}
      </div>
      {found.count !== null && (
        <p class="small muted" role="status">
          {counted(found.count, one)} found
          {found.rows && found.rows.length < found.count ? `; the first ${found.rows.length} are shown` : ""}.
        </p>
      )}
      <Fault error={found.error} retry={found.refresh} />
      {found.rows?.length === 0 && found.count === null && empty}
      {found.rows && found.rows.length > 0 && children(found.rows)}
    </Panel>
  );
}
