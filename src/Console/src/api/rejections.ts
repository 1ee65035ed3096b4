import { type Polled, usePolled } from "./polled.ts";
import type { Rejections } from "./types.ts";

/** It is the longest answer of the API: a page that shows it beside other things asks rarely. */
const BESIDE_MS = 15_000;

/** The last rejections, the newest first. */
export function useRejections(everyMs = BESIDE_MS): Polled<Rejections> {
  return usePolled<Rejections>("/admission/decisions", everyMs);
}
