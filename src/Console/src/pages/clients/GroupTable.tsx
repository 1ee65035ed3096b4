import { usePolled } from "../../api/polled.ts";
import type { ClientGroup, GroupBy } from "../../api/types.ts";
import { amount, counted } from "../../format/numbers.ts";
import { since } from "../../format/times.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Table } from "../../parts/Table.tsx";

const MOST = 200;

interface Props {
  by: GroupBy;
  title: string;
  onChoose: (key: string) => void;
}

/** The sessions with the same user, address, application or certificate together, as the gateway puts them. */
export function GroupTable({ by, title, onChoose }: Props) {
  const asked = usePolled<{ clients: ClientGroup[]; next?: string }>(`/clients?by=${by}&limit=${MOST}`, 5_000);
  const groups = asked.data?.clients ?? [];
  return (
    <>
      <Fault error={asked.error} retry={asked.refresh} />
      {asked.data && groups.length === 0 && <Empty what="No client has a session." />}
      {asked.data?.next && (
        <p class="small muted">The {counted(MOST, "client")} with most sessions are shown: search for another one.</p>
      )}
      {groups.length > 0 && (
        <Table
          label={`Sessions by ${title}`}
          rows={groups}
          keyOf={(one) => one.key ?? ""}
          columns={[
            { title, cell: (one) => <Key of={one} onChoose={onChoose} /> },
            { title: "Sessions", cell: (one) => amount(one.sessions), isNumber: true },
            { title: "Subscriptions", cell: (one) => amount(one.subscriptions), isNumber: true, isWideOnly: true },
            { title: "Items", cell: (one) => amount(one.monitoredItems), isNumber: true },
            {
              title: "Notifications/s",
              cell: (one) => amount(one.notificationsPerSecond),
              isNumber: true,
              isWideOnly: true,
            },
            { title: "Late", cell: (one) => amount(one.lateSubscriptions), isNumber: true, isWideOnly: true },
            { title: "Lost", cell: (one) => amount(one.queueOverflows), isNumber: true },
            {
              title: "First since",
              cell: (one) => <span class="nowrap">{since(one.since)}</span>,
              isNumber: true,
              isWideOnly: true,
            },
          ]}
        />
      )}
    </>
  );
}

function Key({ of, onChoose }: { of: ClientGroup; onChoose: (key: string) => void }) {
  return (
    <>
      <button type="button" class="link" onClick={() => onChoose(of.key ?? "")}>
        {of.subject ?? of.key ?? "none"}
      </button>
      {of.subject && <div class="small muted mono">{of.key}</div>}
    </>
  );
}
