import { readAll } from "../../api/lists.ts";
import { usePolling } from "../../api/polled.ts";
import type { Session } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Table } from "../../parts/Table.tsx";
import { type GroupBy, groupsOf, keyOf } from "./groups.ts";
import { useRates } from "./rates.ts";

const MOST = 200;

interface Props {
  by: GroupBy;
  title: string;
  onChoose: (key: string) => void;
}

/** All sessions, those with the same user, address, application or certificate together. */
export function GroupTable({ by, title, onChoose }: Props) {
  const all = usePolling<Session[]>(`sessions by ${by}`, 5_000, (signal) => readAll("/sessions", "sessions", signal));
  const groups = all.data ? groupsOf(all.data, by) : [];
  const rates = useRates(
    all.data,
    (one) => one.id,
    (one) => one.notifications,
  );
  const rateOf = sumsBy(all.data ?? [], by, (one) => rates.of(one.id));
  return (
    <>
      <Fault error={all.error} retry={all.refresh} />
      {all.data && groups.length === 0 && <Empty what="No client has a session." />}
      {groups.length > 0 && (
        <Table
          label={`Sessions by ${title}`}
          rows={groups.slice(0, MOST)}
          keyOf={(one) => one.key}
          columns={[
            {
              title,
              cell: (one) => (
                <button type="button" class="link" onClick={() => onChoose(one.key)}>
                  {one.key}
                </button>
              ),
            },
            { title: "Sessions", cell: (one) => amount(one.sessions), isNumber: true },
            { title: "Subscriptions", cell: (one) => amount(one.subscriptions), isNumber: true, isWideOnly: true },
            { title: "Items", cell: (one) => amount(one.monitoredItems), isNumber: true },
            { title: "Notifications/s", cell: (one) => amount(rateOf.get(one.key)), isNumber: true, isWideOnly: true },
            { title: "Late", cell: (one) => amount(one.late), isNumber: true, isWideOnly: true },
            { title: "Lost", cell: (one) => amount(one.queueOverflows), isNumber: true },
          ]}
        />
      )}
    </>
  );
}

/** The sum of each group; those that are not known yet are left out. */
function sumsBy(sessions: Session[], by: GroupBy, of: (session: Session) => number | null): Map<string, number> {
  const sums = new Map<string, number>();
  for (const one of sessions) {
    const value = of(one);
    if (value !== null) sums.set(keyOf(one, by), (sums.get(keyOf(one, by)) ?? 0) + value);
  }
  return sums;
}
