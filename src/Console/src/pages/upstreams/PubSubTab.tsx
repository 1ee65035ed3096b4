import { usePolled } from "../../api/polled.ts";
import type { PubSub, PubSubConnection, PubSubReader, PubSubReaderConnection, PubSubStore } from "../../api/types.ts";
import { amount, bytes, counted } from "../../format/numbers.ts";
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
            <code>PubSub:DataSets</code> says what is published, <code>PubSub:Connections</code> where to. Test a broker
            first.
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
      {data?.readerConnections?.map((one) => (
        <ReaderConnectionPanel
          key={one.name}
          of={one}
          readers={(data.readers ?? []).filter((reader) => reader.connection === one.name)}
        />
      ))}
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
          ["Connected", connectsOf(of)],
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

/** Each time but the first is a reconnect. */
function connectsOf({ connects }: { connects?: number }): string | undefined {
  return connects === undefined ? undefined : counted(connects, "time");
}

interface ReaderProps {
  of: PubSubReaderConnection;
  readers: PubSubReader[];
}

/** What comes in by one connection: a broker that is away explains readers without messages. */
function ReaderConnectionPanel({ of, readers }: ReaderProps) {
  return (
    <Panel title={`${of.name}: what comes in`} aside={<PubSubState state={of.state} />}>
      {of.detail && <Note kind={of.state === "Error" ? "fault" : "warning"}>{of.detail}</Note>}
      <Facts
        of={[
          ["Address", <code key="address">{of.address}</code>],
          ["Connected", connectsOf(of)],
          ["Messages", amount(of.messages)],
          ["Of publishers that no reader takes", amount(of.strangers)],
        ]}
      />
      <h3>Readers</h3>
      <Table
        label={`Readers of ${of.name}`}
        rows={readers}
        keyOf={(one) => `${one.group}/${one.name}`}
        columns={[
          { title: "Reader", cell: (one) => one.name },
          { title: "State", cell: (one) => <PubSubState state={one.state} /> },
          { title: "Publisher", cell: (one) => one.publisherId, isWideOnly: true },
          { title: "Last message", cell: (one) => moment(one.lastMessageAt) },
          { title: "Values", cell: (one) => amount(one.values), isNumber: true },
          { title: "Gaps", cell: (one) => amount(one.gaps), isNumber: true },
          { title: "Not taken", cell: (one) => problemsOf(one), isWideOnly: true },
        ]}
      />
    </Panel>
  );
}

function problemsOf({ problems }: PubSubReader): string {
  const found = Object.entries(problems ?? {}).filter(([, count]) => count > 0);
  return found.map(([problem, count]) => `${problem}: ${amount(count)}`).join(", ");
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
