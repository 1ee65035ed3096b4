import { useState } from "preact/hooks";
import type { Subscription } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { span } from "../../format/times.ts";
import { Empty } from "../../parts/Empty.tsx";
import { type Kind, State } from "../../parts/State.tsx";
import { Table } from "../../parts/Table.tsx";
import { FoundPanel } from "./Found.tsx";
import { useRates } from "./rates.ts";
import { useFound } from "./useFound.ts";

export function Subscriptions() {
  const [search, setSearch] = useState("");
  const found = useFound<Subscription>("/subscriptions", "subscriptions", search);
  const rates = useRates(
    found.rows,
    (one) => `${one.kind}${one.id}`,
    (one) => one.notifications,
  );
  return (
    <FoundPanel
      title="Subscriptions and streams"
      one="subscription"
      search={search}
      onSearch={setSearch}
      found={found}
      empty={<Empty what="Nobody has subscribed to anything." />}
    >
      {(rows) => (
        <Table
          label="Subscriptions and streams"
          rows={rows}
          keyOf={(one) => `${one.kind}${one.id}`}
          columns={[
            { title: "Of", cell: (one) => one.applicationUri || one.user || one.address || one.kind },
            { title: "State", cell: (one) => <SubscriptionState of={one} /> },
            { title: "Kind", cell: (one) => (one.kind === "stream" ? "HTTP stream" : "Session"), isWideOnly: true },
            { title: "Interval", cell: (one) => span(one.publishingIntervalMs), isNumber: true },
            { title: "Items", cell: (one) => amount(one.monitoredItems), isNumber: true },
            {
              title: "Notifications/s",
              cell: (one) => amount(rates.of(`${one.kind}${one.id}`)),
              isNumber: true,
            },
            { title: "Lost", cell: (one) => amount(one.queueOverflows), isNumber: true, isWideOnly: true },
            { title: "Late cycles", cell: (one) => amount(one.lateCycles), isNumber: true, isWideOnly: true },
          ]}
        />
      )}
    </FoundPanel>
  );
}

const STATES: Record<string, [Kind, string]> = {
  active: ["ok", "Active"],
  late: ["warning", "Late"],
  waiting: ["warning", "Session gone"],
};

function SubscriptionState({ of }: { of: Subscription }) {
  const [kind, word] = STATES[of.state] ?? ["none", of.state];
  return <State kind={kind}>{word}</State>;
}
