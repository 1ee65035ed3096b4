import type { Limit } from "../../api/types.ts";

/** The share of a limit that is used; below zero where nothing is held that could be counted. */
export function shareOf(limit: Limit): number {
  const most = Number(limit.inForce);
  return limit.use === undefined || !(most > 0) ? -1 : limit.use / most;
}

/** The fullest first, then by name. */
export function byUse(a: Limit, b: Limit): number {
  return shareOf(b) - shareOf(a) || a.name.localeCompare(b.name);
}
