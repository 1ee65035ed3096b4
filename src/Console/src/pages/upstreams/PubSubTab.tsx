import { usePolled } from "../../api/polled.ts";
import type { PubSub, PubSubConnection, PubSubStore } from "../../api/types.ts";
import { amount, bytes } from "../../format/numbers.ts";
import { full, moment, since, span } from "../../format/times.ts";
import { Empty } from "../../parts/Empty.tsx";
import { type Fact, Facts } from "../../parts/Facts.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { type Kind, Note, State } from "../../parts/State.tsx";
import { Table } from "../../parts/Table.tsx";
import { Use } from "../../parts/Use.tsx";

/** Source: Part 14 §6.2.1, PubSubState. */
const STATES: Record<string, [Kind, string]> = {
  Operational: ["ok", "Delivers"],
  PreOperational: ["warning", "Connecting"],
  Paused: ["none", "Paused"],
  Disabled: ["none", "Switched off"],
  Error: ["fault", "At fault"],
};

export function PubSubTab() {
  const pubsub = usePolled<PubSub>("/pubsub", 3_000);
  const { data } = pubsub;
  return (
    <>
      <Fault error={pubsub.error} retry={pubsub.refresh} />
      {data && !data.configured && (
        <Panel title="PubSub">
          <Empty what="No broker or address is configured.">
            <code>PubSub:DataSets</code> says what is published, <code>PubSub:Connections</code> where to.
          </Empty>
        </Panel>
      )}
      {data?.connections.map((one) => (
        <ConnectionPanel key={one.name} of={one} />
      ))}
      {data && data.dataSets.length > 0 && (
        <Panel title="Data sets">
          <Table
            label="Data sets"
            rows={data.dataSets}
            keyOf={(one) => one.name}
            columns={[
              { title: "Data set", cell: (one) => one.name },
              { title: "Fields", cell: (one) => amount(one.fields), isNumber: true },
              { title: "Missing nodes", cell: (one) => amount(one.missing), isNumber: true },
              { title: "Refused", cell: (one) => amount(one.refused), isNumber: true },
            ]}
          />
        </Panel>
      )}
      {data?.readers && data.readers.length > 0 && (
        <Panel title="Readers: what comes in">
          <Table
            label="Readers"
            rows={data.readers}
            keyOf={(one) => `${one.connection}/${one.group}/${one.name}`}
            columns={[
              { title: "Reader", cell: (one) => `${one.connection} / ${one.name}` },
              { title: "State", cell: (one) => <PubSubState state={one.state} /> },
              { title: "Publisher", cell: (one) => one.publisherId, isWideOnly: true },
              { title: "Last message", cell: (one) => moment(one.lastMessageAt) },
              { title: "Values", cell: (one) => amount(one.values), isNumber: true },
              { title: "Gaps", cell: (one) => amount(one.gaps), isNumber: true },
            ]}
          />
        </Panel>
      )}
    </>
  );
}

function PubSubState({ state }: { state: string }) {
  const [kind, words] = STATES[state] ?? ["none", state];
  return <State kind={kind}>{words}</State>;
}

function ConnectionPanel({ of }: { of: PubSubConnection }) {
  return (
    <Panel title={of.name} aside={<PubSubState state={of.state} />}>
      {of.detail && <Note kind={of.state === "Error" ? "fault" : "warning"}>{of.detail}</Note>}
      <Facts
        of={[
          ["Address", <code key="address">{of.address}</code>],
          ["Discarded", amount(of.discarded)],
          ...(of.store ? backlogOf(of.store) : []),
        ]}
      />
      {of.store?.lastError && <Note kind="fault">The store on disk: {of.store.lastError}</Note>}
      {of.gaps.length > 0 && (
        <>
          <h3>Gaps: what was lost</h3>
          <Table
            label={`Gaps of ${of.name}`}
            rows={of.gaps}
            keyOf={(one) => one.from}
            columns={[
              { title: "From", cell: (one) => full(one.firstTime) },
              { title: "To", cell: (one) => full(one.lastTime) },
              { title: "Messages", cell: (one) => amount(one.count), isNumber: true },
              { title: "Why", cell: (one) => one.reason },
            ]}
          />
        </>
      )}
      <h3>Writer groups</h3>
      <Table
        label={`Writer groups of ${of.name}`}
        rows={of.groups}
        keyOf={(one) => one.name}
        columns={[
          { title: "Group", cell: (one) => one.name },
          { title: "State", cell: (one) => <PubSubState state={one.state} /> },
          { title: "Encoding", cell: (one) => one.encoding, isWideOnly: true },
          { title: "Interval", cell: (one) => span(one.publishingIntervalMs), isNumber: true, isWideOnly: true },
          { title: "Messages", cell: (one) => amount(one.messages), isNumber: true },
          { title: "Values", cell: (one) => amount(one.values), isNumber: true },
          { title: "Lost", cell: (one) => amount(one.lost), isNumber: true },
        ]}
      />
    </Panel>
  );
}

function backlogOf(store: PubSubStore): Fact[] {
  return [
    ["Backlog", <Use key="backlog" use={store.storedBytes} most={store.maxBytes} format={bytes} />],
    ["Waiting messages", amount(store.messages)],
    ["Oldest", store.oldestTime ? `${since(store.oldestTime)} ago` : undefined],
    ["In and out", `${amount(store.messagesInPerSecond)} and ${amount(store.messagesOutPerSecond)} a second`],
    ["Full in", store.untilFullSeconds === undefined ? undefined : span(store.untilFullSeconds * 1_000)],
    ["Delivered", amount(store.acknowledged)],
    ["Lost", amount(store.lost)],
  ];
}
