import { useState } from "preact/hooks";
import { readAll } from "../../api/lists.ts";
import { usePolling } from "../../api/polled.ts";
import type { Limit } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Key } from "../../parts/Key.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Search } from "../../parts/Search.tsx";
import { Note } from "../../parts/State.tsx";
import { Table } from "../../parts/Table.tsx";
import { Use } from "../../parts/Use.tsx";
import { matching } from "../clients/matching.ts";
import { byUse } from "./byUse.ts";

const SHOWN = 60;

/** Every limit with its use: the fullest first. */
export function LimitsTab() {
  const [search, setSearch] = useState("");
  const [most, setMost] = useState(SHOWN);
  const [chosen, setChosen] = useState<string | null>(null);
  const limits = usePolling<Limit[]>("limits", 5_000, (signal) => readAll("/limits", "limits", signal));
  const shown = matching([...(limits.data ?? [])].sort(byUse), search, (one) => [
    one.name,
    one.bounds,
    one.part,
    one.whenItActs,
  ]);
  const limit = limits.data?.find((one) => one.name === chosen);
  return (
    <Panel title="Limits and their use">
      <Fault error={limits.error} retry={limits.refresh} />
      <Search label="Search limit or what it bounds" value={search} onInput={setSearch} />
      {limits.data && shown.length === 0 && <Empty what="No limit fits the search." />}
      {shown.length > 0 && (
        <Table
          label="Limits and their use"
          rows={shown.slice(0, most)}
          keyOf={(one) => one.name}
          columns={[
            {
              title: "Limit",
              cell: (one) => (
                <button type="button" class="link" onClick={() => setChosen(one.name)}>
                  <Key name={one.name} />
                </button>
              ),
            },
            { title: "In force", cell: inForceOf, isNumber: true },
            { title: "Bounds", cell: (one) => one.bounds ?? "", isWideOnly: true },
            { title: "From", cell: (one) => one.origin, isWideOnly: true },
          ]}
        />
      )}
      {shown.length > most && (
        <button type="button" onClick={() => setMost(shown.length)}>
          Show all ({amount(shown.length)})
        </button>
      )}
      {limit && <LimitDialog limit={limit} onClose={() => setChosen(null)} />}
    </Panel>
  );
}

function inForceOf(limit: Limit) {
  const most = Number(limit.inForce);
  if (limit.use === undefined || !Number.isFinite(most)) return textOf(limit.inForce);
  return <Use use={limit.use} most={most} />;
}

function textOf(value: number | string): string {
  return typeof value === "number" ? amount(value) : value;
}

function LimitDialog({ limit, onClose }: { limit: Limit; onClose: () => void }) {
  return (
    <Dialog title={limit.name} onClose={onClose}>
      {limit.inForce !== limit.configured && (
        <Note kind="warning">
          {textOf(limit.configured)} is configured, and {textOf(limit.inForce)} is in force: something else allows no
          more, such as the file descriptors of the process.
        </Note>
      )}
      <Facts
        of={[
          ["Key", <code key="key">{`Limits:${limit.name}`}</code>],
          ["It bounds", limit.bounds],
          ["In force", textOf(limit.inForce)],
          ["In use", limit.use === undefined ? undefined : amount(limit.use)],
          ["Default", textOf(limit.default)],
          ["From", limit.origin],
          ["When it acts", limit.whenItActs],
          ["When to change it", limit.remedy],
        ]}
      />
      <div class="actions">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
