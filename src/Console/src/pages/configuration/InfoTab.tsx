import { usePolled } from "../../api/polled.ts";
import type { Info } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { full, since } from "../../format/times.ts";
import { Facts } from "../../parts/Facts.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Table } from "../../parts/Table.tsx";

/** What this gateway is, and where clients connect. */
export function InfoTab() {
  const info = usePolled<Info>("/info", 60_000);
  if (!info.data) return <Fault error={info.error} retry={info.refresh} />;
  const { data } = info;
  return (
    <>
      <Panel title="Program">
        <Facts
          of={[
            ["Product", data.product],
            ["Version", data.version],
            ["Name", data.applicationName],
            ["ApplicationUri", data.applicationUri],
            ["Started", `${full(data.startTime)} (${since(data.startTime)} ago)`],
            ["Runs on", `${data.operatingSystem}, ${data.runtime}, ${amount(data.processors)} processors`],
          ]}
        />
      </Panel>
      <Panel title="Endpoints for OPC UA clients">
        <Table
          label="Endpoints"
          rows={data.endpoints}
          keyOf={(one) => one.url + one.transportProfile + one.securityPolicy + one.securityMode}
          columns={[
            { title: "URL", cell: (one) => <code>{one.url}</code> },
            { title: "Transport", cell: (one) => one.transportProfile.split("/").at(-1) ?? "", isWideOnly: true },
            { title: "Mode", cell: (one) => one.securityMode },
            { title: "Policy", cell: (one) => one.securityPolicy.split("#").at(-1) ?? "" },
            { title: "Users by", cell: (one) => one.userTokens.join(", "), isWideOnly: true },
          ]}
        />
      </Panel>
      <Panel title="Namespaces">
        <Table
          label="Namespaces"
          rows={data.namespaces.map((uri, index) => ({ uri, index }))}
          keyOf={(one) => one.index}
          columns={[
            { title: "Index", cell: (one) => one.index, isNumber: true },
            { title: "URI", cell: (one) => <code>{one.uri}</code> },
          ]}
        />
      </Panel>
    </>
  );
}
