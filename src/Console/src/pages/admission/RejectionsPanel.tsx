import { useState } from "preact/hooks";
import type { Polled } from "../../api/polled.ts";
import { can } from "../../api/session.ts";
import type { Rejection, Rejections } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { moment } from "../../format/times.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Remedy } from "../../parts/Remedy.tsx";
import { Search } from "../../parts/Search.tsx";
import { Table } from "../../parts/Table.tsx";
import { matching } from "../clients/matching.ts";
import { causeOf, stageOf } from "./causes.ts";

const SHOWN = 50;

/** The last rejections, each with its cause in words and what to change. */
export function RejectionsPanel({ rejections }: { rejections: Polled<Rejections> }) {
  const [search, setSearch] = useState("");
  const [most, setMost] = useState(SHOWN);
  const all = rejections.data?.decisions ?? [];
  const found = matching(all, search, (one) => [
    one.address,
    one.subject,
    one.user,
    one.detail,
    causeOf(one.reason),
    stageOf(one.stage),
    one.advice,
  ]);
  return (
    <Panel
      title="The last rejections"
      aside={rejections.data && <span class="muted small">{amount(rejections.data.total)} since the start</span>}
    >
      <Fault error={rejections.error} retry={rejections.refresh} />
      {all.length > SHOWN / 5 && <Search label="Search client, cause or advice" value={search} onInput={setSearch} />}
      {rejections.data && all.length === 0 && (
        <Empty what="Nothing was rejected.">A client that cannot connect did not reach the gateway.</Empty>
      )}
      {found.length > 0 && (
        <Table
          label="The last rejections"
          rows={found.slice(0, most)}
          keyOf={(one) => found.indexOf(one)}
          columns={[
            { title: "When", cell: (one) => <span class="nowrap">{moment(one.at)}</span> },
            { title: "Client", cell: (one) => <Client of={one} /> },
            { title: "Stage", cell: (one) => stageOf(one.stage), isWideOnly: true },
            { title: "Cause, and what to change", cell: (one) => <Cause of={one} /> },
          ]}
        />
      )}
      {found.length > most && (
        <button type="button" onClick={() => setMost(most + 4 * SHOWN)}>
          Show more ({amount(found.length - most)})
        </button>
      )}
    </Panel>
  );
}

function Client({ of }: { of: Rejection }) {
  return (
    <>
      {of.subject ?? of.address}
      {of.subject && <div class="small muted">{of.address}</div>}
      {of.user && <div class="small muted">user {of.user}</div>}
    </>
  );
}

function Cause({ of }: { of: Rejection }) {
  return (
    <>
      <div>{causeOf(of.reason)}</div>
      {of.detail && <div class="small muted">{of.detail}</div>}
      <Remedy text={of.advice} />
      {of.reason === "certificate_refused" && can("manageCertificates") && (
        <a class="small" href="/certificates#rejected">
          Look at the rejected certificates
        </a>
      )}
    </>
  );
}
