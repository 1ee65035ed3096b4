import { counted } from "../../format/numbers.ts";
import type { Kind } from "../../parts/State.tsx";

export interface Facts {
  upstreams: { name: string; state: string }[];
  clients: number;
  rejectedLastHour: number;
  /** The list of rejections is full: there were more. */
  isMore: boolean;
  faults: number;
  warnings: number;
}

export interface Sentence {
  kind: Kind;
  text: string;
}

/** The second is served but for the nodes that a limit left out: a notice says so. */
const DELIVERS = ["online", "limited"];

/** The state of the gateway in one sentence: do the upstreams deliver, who is there, was anybody rejected. */
export function sentenceOf(facts: Facts): Sentence {
  const silent = facts.upstreams.filter((one) => !DELIVERS.includes(one.state));
  const parts = [
    upstreamsIn(facts.upstreams.length, silent),
    facts.clients === 0 ? "no client is connected" : counted(facts.clients, "client"),
    rejectionsIn(facts),
  ].filter(Boolean);
  const text = `${parts.join("; ")}.`;
  return { kind: kindOf(facts, silent.length), text: text.charAt(0).toUpperCase() + text.slice(1) };
}

function upstreamsIn(count: number, silent: { name: string }[]): string {
  if (count === 0) return "no upstream is configured";
  if (silent.length === 0) return count === 1 ? "the upstream delivers" : `all ${count} upstreams deliver`;
  const names = silent.slice(0, 3).map((one) => one.name);
  const more = silent.length > names.length ? ` and ${silent.length - names.length} more` : "";
  return `${counted(silent.length, "upstream")} of ${count} ${silent.length === 1 ? "does" : "do"} not deliver (${names.join(", ")}${more})`;
}

function rejectionsIn({ rejectedLastHour, isMore }: Facts): string {
  if (rejectedLastHour === 0) return "nothing rejected in the last hour";
  return `${isMore ? "more than " : ""}${counted(rejectedLastHour, "rejection")} in the last hour`;
}

function kindOf(facts: Facts, silent: number): Kind {
  if (facts.faults > 0 || (silent > 0 && silent === facts.upstreams.length)) return "fault";
  return silent > 0 || facts.warnings > 0 || facts.rejectedLastHour > 0 ? "warning" : "ok";
}
