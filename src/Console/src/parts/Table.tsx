import type { ComponentChildren } from "preact";

export interface Column<T> {
  title: string;
  cell: (row: T) => ComponentChildren;
  isNumber?: boolean;
  /** Left out where the page is narrow: the details have it. */
  isWideOnly?: boolean;
}

interface Props<T> {
  /** What the rows are: the table's name. */
  label: string;
  columns: Column<T>[];
  rows: T[];
  keyOf: (row: T) => string | number;
}

/** Rows of facts. It scrolls by itself, by pointer and keyboard, so that the page never does sideways. */
export function Table<T>({ label, columns, rows, keyOf }: Props<T>) {
  return (
    // biome-ignore-start lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    // biome-ignore-start lint/a11y/useSemanticElements: it is no set of inputs
    <div class="table-scroll" role="group" tabIndex={0} aria-label={label}>
      <table>
        <caption class="sr-only">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    // biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above
    // biome-ignore-end lint/a11y/useSemanticElements: as above
  );
}

function classOf<T>(column: Column<T>): string {
  return `${column.isNumber ? "number" : ""} ${column.isWideOnly ? "wide-only" : ""}`.trim();
}
