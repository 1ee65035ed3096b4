import type { Polled } from "../../api/polled.ts";
import type { Notices } from "../../api/types.ts";
import { since } from "../../format/times.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Remedy } from "../../parts/Remedy.tsx";
import { State } from "../../parts/State.tsx";

/** What is wrong now, the worst first, each with its remedy. */
export function Attention({ notices }: { notices: Polled<Notices> }) {
  const active = [...(notices.data?.active ?? [])].sort(
    (a, b) => Number(b.severity === "fault") - Number(a.severity === "fault") || b.since.localeCompare(a.since),
  );
  return (
    <Panel title="Needs attention">
      <Fault error={notices.error} retry={notices.refresh} />
      {notices.data && active.length === 0 && <Empty what="Nothing needs attention." />}
      <ul class="list">
        {active.map((one) => (
          <li key={one.id}>
            <div class="row">
              <State kind={one.severity}>{one.severity === "fault" ? "Fault" : "Warning"}</State>
              <strong>{one.subject}</strong>
              <span class="muted small">for {since(one.since)}</span>
            </div>
            <p>{one.words}</p>
            <Remedy text={one.remedy} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
