import { useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import type { Connection } from "../../api/types.ts";
import { amount, bytes } from "../../format/numbers.ts";
import { full, since } from "../../format/times.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { State } from "../../parts/State.tsx";
import { Table } from "../../parts/Table.tsx";
import { tell } from "../../parts/toast.ts";
import { EndActions } from "./EndActions.tsx";
import { FoundPanel } from "./Found.tsx";
import { RejectionsOf } from "./RejectionsOf.tsx";
import { useFound } from "./useFound.ts";

export function Connections() {
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const found = useFound<Connection>("/connections", "connections", search);
  const connection = found.rows?.find((one) => one.id === chosen);
  return (
    <>
      <FoundPanel
        title="Connections"
        one="connection"
        search={search}
        onSearch={setSearch}
        found={found}
        empty={<Empty what="Nobody is connected." />}
      >
        {(rows) => (
          <Table
            label="Connections"
            rows={rows}
            keyOf={(one) => one.id}
            columns={[
              {
                title: "Address",
                cell: (one) => (
                  <button type="button" class="link nowrap" onClick={() => setChosen(one.id)}>
                    {one.address ?? one.id}
                  </button>
                ),
              },
              { title: "By", cell: (one) => one.door },
              { title: "State", cell: (one) => <ConnectionState connection={one} /> },
              { title: "Certificate", cell: (one) => one.subject ?? "", isWideOnly: true },
              { title: "Security", cell: securityOf, isWideOnly: true },
              { title: "For", cell: (one) => <span class="nowrap">{since(one.since)}</span>, isWideOnly: true },
              { title: "Sessions", cell: (one) => amount(one.sessions), isNumber: true },
            ]}
          />
        )}
      </FoundPanel>
      {connection && (
        <ConnectionDialog
          connection={connection}
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

const WORDS: Record<string, string> = {
  hello: "Says hello",
  opening: "Handshake",
  open: "Open",
  ending: "Ending",
  busy: "Busy",
  idle: "Idle",
};

function ConnectionState({ connection }: { connection: Connection }) {
  const isGood = ["open", "busy", "idle"].includes(connection.state);
  return <State kind={isGood ? "ok" : "none"}>{WORDS[connection.state] ?? connection.state}</State>;
}

function securityOf(one: Connection): string {
  return [one.securityMode, one.securityPolicy?.split("#").at(-1)].filter(Boolean).join(", ");
}

interface Props {
  connection: Connection;
  onClose: () => void;
  onEnded: () => void;
}

function ConnectionDialog({ connection, onClose, onEnded }: Props) {
  const [isEnding, setEnding] = useState(false);
  const name = connection.address ?? connection.id;
  if (isEnding)
    return (
      <Confirm
        title="End this connection?"
        action="End the connection"
        isDangerous
        onClose={() => setEnding(false)}
        run={async () => {
          await send("DELETE", `/connections/${connection.id}`);
          tell(`The connection of ${name} has ended.`);
          onEnded();
        }}
      >
        <Facts
          of={[
            ["Address", name],
            ["By", connection.door],
            ["Certificate", connection.subject],
          ]}
        />
        <p>Its sessions wait for their client until their time-out. End them first if it shall not go on with them.</p>
      </Confirm>
    );
  return (
    <Dialog title={`Connection of ${name}`} onClose={onClose}>
      <Facts
        of={[
          ["State", <ConnectionState key="state" connection={connection} />],
          ["By", connection.door],
          ["Endpoint", connection.endpointUrl],
          ["Security", securityOf(connection)],
          ["Certificate", connection.subject],
          ["Thumbprint", connection.certificate],
          ["Since", full(connection.since)],
          ["Last activity", `${since(connection.lastActivity)} ago`],
          ["Sessions", amount(connection.sessions)],
          ["Memory held", connection.heldBytes === undefined ? undefined : bytes(connection.heldBytes)],
          ["Why it waits", connection.why?.join("; ")],
          ["Id", connection.id],
        ]}
      />
      <RejectionsOf address={connection.address} certificate={connection.certificate} />
      <EndActions what="connection" onEnd={() => setEnding(true)} onClose={onClose} />
    </Dialog>
  );
}
