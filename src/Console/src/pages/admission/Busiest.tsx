import type { Admission } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Table } from "../../parts/Table.tsx";

/** The clients that ask most. */
export function Busiest({ report }: { report: Admission }) {
  const { certificates, addresses } = report.busiest;
  return (
    <div class="columns">
      <Panel title="Busiest certificates">
        {certificates.length === 0 ? (
          <Empty what="No client has shown a certificate." />
        ) : (
          <Table
            label="Busiest certificates"
            rows={certificates}
            keyOf={(one) => one.thumbprint}
            columns={[
              {
                title: "Certificate",
                cell: (one) => (
                  <>
                    {one.subject ?? one.thumbprint}
                    {one.address && <div class="small muted">{one.address}</div>}
                  </>
                ),
              },
              { title: "Channels", cell: (one) => amount(one.channels), isNumber: true },
              { title: "Tries, 5 min", cell: (one) => amount(one.attemptsLastFiveMinutes), isNumber: true },
              { title: "Rejected", cell: (one) => amount(one.refusalsLastFiveMinutes), isNumber: true },
            ]}
          />
        )}
      </Panel>
      <Panel title="Busiest addresses">
        {addresses.length === 0 ? (
          <Empty what="Nobody has connected." />
        ) : (
          <Table
            label="Busiest addresses"
            rows={addresses}
            keyOf={(one) => one.address}
            columns={[
              { title: "Address", cell: (one) => one.address },
              { title: "Connections", cell: (one) => amount(one.connections), isNumber: true },
              { title: "Tries, 5 min", cell: (one) => amount(one.attemptsLastFiveMinutes), isNumber: true },
              { title: "Rejected", cell: (one) => amount(one.refusalsLastFiveMinutes), isNumber: true },
            ]}
          />
        )}
      </Panel>
    </div>
  );
}
