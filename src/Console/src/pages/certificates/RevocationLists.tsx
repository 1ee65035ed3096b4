import { useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import { usePolled } from "../../api/polled.ts";
import type { RevocationList } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { full } from "../../format/times.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { FileForm } from "../../parts/FileForm.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { State } from "../../parts/State.tsx";
import { Table } from "../../parts/Table.tsx";
import { tell } from "../../parts/toast.ts";
import { commonName, storeOf } from "./names.ts";

const STORES = ["trusted", "issuer", "trustedUser", "issuerUser"];

/** The lists by which authorities revoke certificates. */
export function RevocationLists() {
  const lists = usePolled<{ lists: RevocationList[] }>("/revocation-lists", 10_000);
  const [deleted, setDeleted] = useState<RevocationList | null>(null);
  const rows = lists.data?.lists ?? [];
  return (
    <>
      <Panel title="Revocation lists of authorities">
        <Fault error={lists.error} retry={lists.refresh} />
        {lists.data && rows.length === 0 && (
          <Empty what="There is no revocation list.">
            The gateway accepts certificates of an authority only with its current list. Get it from the authority.
          </Empty>
        )}
        {rows.length > 0 && (
          <Table
            label="Revocation lists"
            rows={rows}
            keyOf={(one) => one.id}
            columns={[
              { title: "Authority", cell: (one) => commonName(one.issuer) },
              { title: "Folder", cell: (one) => storeOf(one.store), isWideOnly: true },
              { title: "Revoked", cell: (one) => amount(one.revoked), isNumber: true },
              { title: "Next list due", cell: (one) => <Due of={one} /> },
              {
                title: "Action",
                cell: (one) => (
                  <button type="button" class="small-button danger" onClick={() => setDeleted(one)}>
                    Delete …
                  </button>
                ),
              },
            ]}
          />
        )}
      </Panel>
      <ListUpload onDone={lists.refresh} />
      {deleted && (
        <Confirm
          title="Delete this revocation list?"
          action="Delete it"
          isDangerous
          onClose={() => setDeleted(null)}
          run={async () => {
            await send("DELETE", `/revocation-lists/${encodeURIComponent(deleted.id)}`);
            tell("The revocation list is deleted.");
            lists.refresh();
          }}
        >
          <Facts
            of={[
              ["Authority", deleted.issuer],
              ["File", deleted.file],
            ]}
          />
          <p>Without a current list the gateway rejects the certificates of this authority.</p>
        </Confirm>
      )}
    </>
  );
}

function Due({ of }: { of: RevocationList }) {
  if (!of.nextUpdate) return "not said";
  const isLate = Date.parse(of.nextUpdate) < Date.now();
  return isLate ? <State kind="fault">Overdue since {full(of.nextUpdate)}</State> : full(of.nextUpdate);
}

function ListUpload({ onDone }: { onDone: () => void }) {
  const upload = async (list: string, store: string) => {
    await send("POST", "/revocation-lists", { store, list });
    tell("The revocation list was added.");
    onDone();
  };
  return (
    <Panel title="Upload a revocation list">
      <FileForm
        label="File (DER or PEM)"
        accept=".crl,.der,.pem"
        choices={STORES.map((value) => ({ value, text: storeOf(value) }))}
        send={upload}
      />
    </Panel>
  );
}
