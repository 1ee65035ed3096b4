import type { ConfigurationChange, ConfigurationVerdict } from "../../api/types.ts";
import { Key } from "../../parts/Key.tsx";
import { Note, State } from "../../parts/State.tsx";
import { Table } from "../../parts/Table.tsx";

/** What is wrong, what has no effect, and what would change or has changed. */
export function Verdict({ of }: { of: ConfigurationVerdict }) {
  return (
    <div class="stack">
      {of.errors.map((one) => (
        <Note key={`${one.key}${one.problem}`} kind="fault">
          {one.key && (
            <>
              <Key name={one.key} />:{" "}
            </>
          )}
          {one.problem}
        </Note>
      ))}
      {of.warnings.map((one) => (
        <Note key={one} kind="warning">
          {one}
        </Note>
      ))}
      {of.ok && of.changes.length === 0 && <Note kind="ok">Nothing is wrong, and nothing changes.</Note>}
      {of.ok && of.changes.length > 0 && (
        <>
          {of.restart && <Note kind="info">Some of the changes need a restart of the gateway.</Note>}
          <Table
            label="Changes"
            rows={of.changes}
            keyOf={(one) => one.key}
            columns={[
              { title: "Key", cell: (one) => <Key name={one.key} /> },
              { title: "From", cell: (one) => shown(one, one.from) },
              { title: "To", cell: (one) => shown(one, one.to) },
              {
                title: "When",
                cell: (one) =>
                  one.restart ? <State kind="warning">after a restart</State> : <State kind="ok">at once</State>,
              },
            ]}
          />
        </>
      )}
    </div>
  );
}

function shown(change: ConfigurationChange, value: string | undefined) {
  if (change.secret) return <span class="muted">secret</span>;
  return value ?? <span class="muted">none</span>;
}
