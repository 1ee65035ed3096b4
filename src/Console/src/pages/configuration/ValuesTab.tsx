import { useState } from "preact/hooks";
import { readAll } from "../../api/lists.ts";
import { usePolling } from "../../api/polled.ts";
import type { ConfigurationValue } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Key } from "../../parts/Key.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Search } from "../../parts/Search.tsx";
import { State } from "../../parts/State.tsx";
import { Table } from "../../parts/Table.tsx";
import { matching } from "../clients/matching.ts";

const SHOWN = 100;

/** What is in force, and where it stands. */
export function ValuesTab() {
  const [search, setSearch] = useState("");
  const [isOwnOnly, setOwnOnly] = useState(true);
  const [most, setMost] = useState(SHOWN);
  const values = usePolling<ConfigurationValue[]>("config", 30_000, (signal) => readAll("/config", "values", signal));
  const all = values.data ?? [];
  const shown = matching(
    all.filter((one) => !isOwnOnly || one.origin !== "default"),
    search,
    (one) => [one.key, one.value, one.origin, one.source],
  );
  return (
    <Panel title="Values in force">
      <Fault error={values.error} retry={values.refresh} />
      <div class="row">
        <Search label="Search key or value" value={search} onInput={setSearch} />
        <label class="row">
          <input type="checkbox" checked={isOwnOnly} onChange={(event) => setOwnOnly(event.currentTarget.checked)} />
          Only what was set: no defaults
        </label>
      </div>
      {values.data && shown.length === 0 && (
        <Empty what={search ? "No key fits the search." : "Nothing is set: the defaults hold."} />
      )}
      {shown.length > 0 && (
        <Table
          label="Values in force"
          rows={shown.slice(0, most)}
          keyOf={(one) => one.key}
          columns={[
            { title: "Key", cell: (one) => <Key name={one.key} /> },
            { title: "Value", cell: (one) => <Value of={one} /> },
            { title: "From", cell: (one) => <Origin of={one} /> },
          ]}
        />
      )}
      {shown.length > most && (
        <button type="button" onClick={() => setMost(shown.length)}>
          Show all ({amount(shown.length)})
        </button>
      )}
    </Panel>
  );
}

function Value({ of }: { of: ConfigurationValue }) {
  return (
    <>
      {of.secret ? <span class="muted">secret, not shown</span> : of.value}
      {of.changed && (
        <div class="small">
          <State kind="info">changed by the last reload</State> {of.before !== undefined && `before: ${of.before}`}
        </div>
      )}
      {of.pending && (
        <div class="small">
          <State kind="warning">waits for a restart</State> {of.next !== undefined && `then: ${of.next}`}
        </div>
      )}
    </>
  );
}

function Origin({ of }: { of: ConfigurationValue }) {
  return (
    <>
      {of.origin}
      {of.source && <div class="small muted mono">{of.source}</div>}
    </>
  );
}
