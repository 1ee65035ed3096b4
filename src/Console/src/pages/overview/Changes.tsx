import type { Polled } from "../../api/polled.ts";
import type { Notices, Rejections } from "../../api/types.ts";
import { moment } from "../../format/times.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Panel } from "../../parts/Panel.tsx";
import type { Kind } from "../../parts/State.tsx";
import { State } from "../../parts/State.tsx";
import { causeOf } from "../admission/causes.ts";

interface Change {
  at: string;
  kind: Kind;
  label: string;
  subject: string;
  words: string;
}

const SHOWN = 8;

/** What changed lately, the newest first: notices that began or ended, and rejections, those of one cause together. */
export function Changes({ notices, rejections }: { notices: Polled<Notices>; rejections: Rejections | null }) {
  const changes = changesOf(notices.data, rejections).slice(0, SHOWN);
  return (
    <Panel title="What changed lately">
      {notices.data && changes.length === 0 && <Empty what="Nothing has changed since the gateway started." />}
      <ul class="list">
        {changes.map((one) => (
          <li key={one.at + one.subject + one.label}>
            <div class="row">
              <span class="muted small nowrap">{moment(one.at)}</span>
              <State kind={one.kind}>{one.label}</State>
              <strong>{one.subject}</strong>
            </div>
            <p>{one.words}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function changesOf(notices: Notices | null, rejections: Rejections | null): Change[] {
  const told: Change[] = (notices?.recent ?? []).map((one) => ({
    at: one.at,
    kind: one.change === "ended" ? "ok" : one.severity,
    label: one.change === "ended" ? "Over" : one.severity === "fault" ? "Fault" : "Warning",
    subject: one.subject,
    words: one.words,
  }));
  return [...told, ...groupedRejections(rejections)].sort((a, b) => b.at.localeCompare(a.at));
}

/** One entry for each client and cause, at the time of its last. */
function groupedRejections(rejections: Rejections | null): Change[] {
  const groups = new Map<string, { change: Change; count: number }>();
  for (const one of rejections?.decisions ?? []) {
    const client = one.subject ?? one.address;
    const key = `${client} ${one.reason}`;
    const group = groups.get(key);
    if (group) group.count++;
    else
      groups.set(key, {
        count: 1,
        change: { at: one.at, kind: "warning", label: "Rejected", subject: client, words: causeOf(one.reason) },
      });
  }
  return [...groups.values()].map(({ change, count }) => ({
    ...change,
    words: count > 1 ? `${change.words} (${count} times)` : change.words,
  }));
}
