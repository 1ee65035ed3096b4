import { useId, useState } from "preact/hooks";
import { can } from "../../api/session.ts";
import type { GroupBy, Session } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { since } from "../../format/times.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { type Kind, State } from "../../parts/State.tsx";
import { Table } from "../../parts/Table.tsx";
import { FoundPanel } from "./Found.tsx";
import { GroupTable } from "./GroupTable.tsx";
import { useRates } from "./rates.ts";
import { SessionDialog } from "./SessionDialog.tsx";
import { useFound } from "./useFound.ts";

export function Sessions() {
  const [search, setSearch] = useState("");
  const [by, setBy] = useState<GroupBy | "">("");
  const [chosen, setChosen] = useState<string | null>(null);
  const found = useFound<Session>("/sessions", "sessions", search);
  const rates = useRates(
    found.rows,
    (one) => one.id,
    (one) => one.notifications,
  );
  const session = found.rows?.find((one) => one.id === chosen);
  const choice = <GroupChoice by={by} onChoose={setBy} />;
  if (by !== "")
    return (
      <Panel title="Sessions" aside={choice}>
        <GroupTable
          by={by}
          title={BY[by]}
          onChoose={(key) => {
            setBy("");
            setSearch(key);
          }}
        />
      </Panel>
    );
  return (
    <>
      <FoundPanel
        title="Sessions"
        one="session"
        search={search}
        onSearch={setSearch}
        found={found}
        choice={choice}
        empty={
          <Empty what="No client has a session.">
            If one should have: look for it among the <a href="/certificates#rejected">rejected certificates</a> and the{" "}
            <a href="/admission">rejections</a>.
          </Empty>
        }
      >
        {(rows) => (
          <Table
            label="Sessions"
            rows={rows}
            keyOf={(one) => one.id}
            columns={[
              {
                title: "Session",
                cell: (one) => (
                  <>
                    <button type="button" class="link" onClick={() => setChosen(one.id)}>
                      {one.name || applicationOf(one) || one.id}
                    </button>
                    {one.name && <div class="small muted">{applicationOf(one)}</div>}
                  </>
                ),
              },
              { title: "State", cell: (one) => <SessionState session={one} /> },
              { title: "User", cell: (one) => one.user ?? "", isWideOnly: true },
              {
                title: "Address",
                cell: (one) => <span class="nowrap">{one.address ?? "none"}</span>,
                isWideOnly: true,
              },
              { title: "For", cell: (one) => <span class="nowrap">{since(one.since)}</span>, isWideOnly: true },
              { title: "Items", cell: (one) => amount(one.monitoredItems), isNumber: true },
              { title: "Notifications/s", cell: (one) => amount(rates.of(one.id)), isNumber: true },
              { title: "Lost", cell: (one) => amount(one.queueOverflows), isNumber: true, isWideOnly: true },
            ]}
          />
        )}
      </FoundPanel>
      {session && (
        <SessionDialog
          session={session}
          rate={rates.of(session.id)}
          onClose={() => setChosen(null)}
          onEnded={() => {
            setChosen(null);
            found.refresh();
          }}
        />
      )}
    </>
  );
}

/** Many clients give all their sessions one name: whose they are is said by the application. */
function applicationOf(session: Session): string | undefined {
  return session.applicationName || session.applicationUri;
}

const BY: Record<GroupBy, string> = {
  user: "User",
  address: "Address",
  application: "Application",
  certificate: "Certificate",
};

/** Who is behind a session is not for everybody to see. */
const IDENTITIES: GroupBy[] = ["user", "certificate"];

function GroupChoice({ by, onChoose }: { by: GroupBy | ""; onChoose: (by: GroupBy | "") => void }) {
  const id = useId();
  const offered = Object.entries(BY).filter(
    ([value]) => can("readIdentities") || !IDENTITIES.includes(value as GroupBy),
  );
  return (
    <div class="field">
      <label for={id}>Together by</label>
      <select id={id} value={by} onChange={(event) => onChoose(event.currentTarget.value as GroupBy | "")}>
        <option value="">nothing: each alone</option>
        {offered.map(([value, text]) => (
          <option key={value} value={value}>
            {text.toLowerCase()}
          </option>
        ))}
      </select>
    </div>
  );
}

export function SessionState({ session }: { session: Session }) {
  const [kind, word] = stateOf(session);
  return <State kind={kind}>{word}</State>;
}

export function stateOf(session: Session): [Kind, string] {
  if (session.state === "waiting") return ["warning", "Connection gone"];
  if (session.state === "created") return ["none", "Not activated"];
  if (session.lateSubscriptions > 0) return ["warning", "Late"];
  return session.why?.length ? ["warning", "Has trouble"] : ["ok", "Active"];
}
