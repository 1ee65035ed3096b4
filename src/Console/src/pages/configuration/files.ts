import { readAll } from "../../api/lists.ts";
import { usePolling } from "../../api/polled.ts";
import type { ConfigurationValue } from "../../api/types.ts";

export interface Files {
  /** Those that hold what is in force; the last one has precedence. */
  files: string[];
  /** The keys that somebody has set. */
  keys: string[];
}

/** Where the configuration stands, as far as this user may know. */
export function useFiles(): Files {
  const values = usePolling<ConfigurationValue[]>("config files", 60_000, (signal) =>
    readAll("/config?fields=key,origin,source", "values", signal),
  );
  return filesOf(values.data ?? []);
}

export function filesOf(values: ConfigurationValue[]): Files {
  return {
    files: [...new Set(values.map((one) => one.source).filter((one) => one !== undefined))],
    keys: values.filter((one) => one.origin !== "default").map((one) => one.key),
  };
}

/** The number of the next element of a list: of Upstreams, or of PubSub:Connections. */
export function nextOf(files: Files, list: string): number {
  const start = `${list}:`.toLowerCase();
  const numbers = files.keys
    .filter((key) => key.toLowerCase().startsWith(start))
    .map((key) => Number.parseInt(key.slice(start.length), 10))
    .filter((number) => number >= 0);
  return Math.max(-1, ...numbers) + 1;
}
