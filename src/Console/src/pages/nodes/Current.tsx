import type { Value } from "../../api/types.ts";
import { moment } from "../../format/times.ts";
import { type Kind, State } from "../../parts/State.tsx";
import { textOfValue } from "./values.ts";

/** The value of now with its status. */
export function Current({ of }: { of: Value }) {
  return (
    <div class="current">
      <output class="value">{of.value === undefined ? "no value" : textOfValue(of.value)}</output>
      <div class="row small">
        <State kind={kindOf(of.status)}>{of.status}</State>
        {of.type && <span class="muted">{of.type}</span>}
        <span class="muted">source time {moment(of.sourceTimestamp)}</span>
      </div>
    </div>
  );
}

export function kindOf(status: string): Kind {
  if (status.startsWith("Good")) return "ok";
  return status.startsWith("Uncertain") ? "warning" : "fault";
}
