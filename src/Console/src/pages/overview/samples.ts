import type { Overview, Sample } from "../../api/types.ts";

/** Ten minutes at one sample in two seconds. */
const KEPT = 300;

/** The samples so far with those of a new answer behind them. After a restart of the gateway its numbers begin anew:
 * then the old samples go. */
export function joined(before: Sample[], answer: Overview): Sample[] {
  const last = before.at(-1)?.sequence ?? -1;
  if (answer.sequence < last) return answer.samples.slice(-KEPT);
  return [...before, ...answer.samples.filter((one) => one.sequence > last)].slice(-KEPT);
}
