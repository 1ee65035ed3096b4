import { readAll } from "../../api/lists.ts";
import { usePolling } from "../../api/polled.ts";
import type { ConfigurationValue } from "../../api/types.ts";

export interface Files {
  /** Those that hold what is in force; the last one has precedence. */
  files: string[];
  /** The number of the next element of Upstreams. */
  nextUpstream: number;
}

/** Where the configuration stands, as far as this user may know. */
export function useFiles(): Files {
  const values = usePolling<ConfigurationValue[]>("config files", 60_000, (signal) =>
    readAll("/config?fields=key,origin,source", "values", signal),
  );
  return filesOf(values.data ?? []);
}

export function filesOf(values: ConfigurationValue[]): Files {
  const numbers = values
    .filter((one) => one.origin !== "default")
    .map((one) => Number(/^Upstreams:(\d+):/i.exec(one.key)?.[1] ?? -1));
  return {
    files: [...new Set(values.map((one) => one.source).filter((one) => one !== undefined))],
    nextUpstream: Math.max(-1, ...numbers) + 1,
  };
}
