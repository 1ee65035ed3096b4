import { useState } from "preact/hooks";
import { usePolled } from "../../api/polled.ts";
import type { Alarm, Alarms } from "../../api/types.ts";
import { moment } from "../../format/times.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Page } from "../../parts/Page.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { State } from "../../parts/State.tsx";
import { Table } from "../../parts/Table.tsx";
import { AnswerDialog } from "./AnswerDialog.tsx";
import { type Act, answersTo, causeOf, kindOf, namesOf, sentenceOf, stateOf } from "./states.ts";

const SHOWN = 100;

/** The alarms of the gateway: those of interest now, which somebody may answer, and what became of others. */
export default function AlarmsPage() {
  const alarms = usePolled<Alarms>(`/alarms?limit=${SHOWN}`, 3_000);
  const [choice, setChoice] = useState<{ act: Act; alarm: Alarm } | null>(null);
  const { data } = alarms;
  return (
    <Page title="Alarms">
      <Fault error={alarms.error} retry={alarms.refresh} />
      {data && (
        <Panel title="Of interest now">
          {data.active.length === 0 ? (
            <Empty what="There is no alarm.">An alarm stays here until it is over and acknowledged.</Empty>
          ) : (
            <p>{sentenceOf(data)}</p>
          )}
          <ul class="list">
            {data.active.map((one) => (
              <Entry key={`${one.alarm} ${one.branch}`} of={one} onAct={(act) => setChoice({ act, alarm: one })} />
            ))}
          </ul>
        </Panel>
      )}
      {data && data.recent.length > 0 && (
        <Panel title="What became of alarms lately">
          <Table
            label="Events of alarms, the newest first"
            rows={data.recent}
            keyOf={(one) => one.eventId}
            columns={[
              { title: "Time", cell: (one) => <span class="nowrap">{moment(one.time)}</span> },
              { title: "State", cell: (one) => <State kind={kindOf(one)}>{stateOf(one)}</State> },
              { title: "Severity", cell: (one) => one.severity, isNumber: true, isWideOnly: true },
              { title: "Source", cell: (one) => one.source, isWideOnly: true },
              { title: "Message", cell: (one) => one.message },
              { title: "User", cell: (one) => one.user ?? "", isWideOnly: true },
            ]}
          />
        </Panel>
      )}
      {choice && (
        <AnswerDialog act={choice.act} alarm={choice.alarm} onClose={() => setChoice(null)} onDone={alarms.refresh} />
      )}
    </Page>
  );
}

function Entry({ of, onAct }: { of: Alarm; onAct: (act: Act) => void }) {
  return (
    <li class="stack">
      <div class="row">
        <State kind={kindOf(of)}>{stateOf(of)}</State>
        <strong>{of.source}</strong>
        <span class="muted small">
          severity {of.severity}, {of.active ? "since" : "over since"} {moment(of.since ?? of.time)}
        </span>
      </div>
      <p>{of.message}</p>
      {causeOf(of) && <p class="muted small">{causeOf(of)}</p>}
      {namesOf(of).length > 0 && <p class="muted small">{namesOf(of).join(", ")}</p>}
      {of.comment && (
        <p class="muted small">
          {of.user ? `${of.user}: ` : ""}
          {of.comment}
        </p>
      )}
      <div class="row">
        {answersTo(of).map(({ act, button }) => (
          <button key={act} type="button" class={act === "comment" ? "" : "primary"} onClick={() => onAct(act)}>
            {button} …
          </button>
        ))}
      </div>
    </li>
  );
}
