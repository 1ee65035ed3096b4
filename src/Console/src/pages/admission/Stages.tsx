import type { Flow, Stage } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { Key } from "../../parts/Key.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Table } from "../../parts/Table.tsx";
import { Use } from "../../parts/Use.tsx";
import { causeOf, stageOf } from "./causes.ts";

/** Each stage that a client passes, in its order. */
export function Stages({ stages }: { stages: Stage[] }) {
  return (
    <Panel title="Stages">
      <Table
        label="Stages of admission"
        rows={stages}
        keyOf={(one) => one.stage}
        columns={[
          { title: "Stage", cell: (one) => stageOf(one.stage) },
          { title: "In use", cell: useOf, isNumber: true },
          { title: "Waiting", cell: (one) => amount(one.waiting), isNumber: true },
          {
            title: "Admitted, last minute",
            cell: (one) => amount(one.lastMinute.admitted),
            isNumber: true,
            isWideOnly: true,
          },
          { title: "Rejected, last minute", cell: (one) => amount(one.lastMinute.refused), isNumber: true },
          {
            title: "Rejected, 5 minutes",
            cell: (one) => <Refusals flow={one.lastFiveMinutes} />,
            isNumber: true,
            isWideOnly: true,
          },
          { title: "Limit", cell: (one) => (one.limit ? <Key name={one.limit.name} /> : ""), isWideOnly: true },
        ]}
      />
    </Panel>
  );
}

function useOf(stage: Stage) {
  const most = Number(stage.limit?.value);
  return Number.isFinite(most) && most > 0 ? <Use use={stage.inUse} most={most} /> : amount(stage.inUse);
}

function Refusals({ flow }: { flow: Flow }) {
  if (flow.refusals.length === 0) return <>{amount(flow.refused)}</>;
  return (
    <ul>
      {flow.refusals.map((one) => (
        <li key={one.reason}>
          {amount(one.count)}: {causeOf(one.reason)}
        </li>
      ))}
    </ul>
  );
}
