import { useMemo } from "preact/hooks";
import { fetchAnswer } from "../../api/client.ts";
import { usePolled, usePolling } from "../../api/polled.ts";
import type { Upstream } from "../../api/types.ts";
import { amount, counted } from "../../format/numbers.ts";
import { moment, since } from "../../format/times.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Remedy } from "../../parts/Remedy.tsx";
import { type Kind, Note, State } from "../../parts/State.tsx";
import { useRates } from "../clients/rates.ts";
import { samplesOf } from "./metrics.ts";

const STATES: Record<string, [Kind, string]> = {
  stopped: ["none", "Stopped"],
  connecting: ["warning", "Connecting"],
  loading: ["info", "Loads its nodes"],
  online: ["ok", "Delivers"],
  limited: ["warning", "Delivers, without the nodes above a limit"],
  away: ["fault", "Away"],
  faulted: ["fault", "Rejected: an operator has to act"],
};

const PREFIX = "gateway_upstream_";

/** A name of the metrics, for each upstream its value. */
type Counters = (name: string, upstream: string) => number | undefined;

export function UpstreamsTab() {
  const upstreams = usePolled<{ upstreams: Upstream[] }>("/upstreams", 3_000);
  const rows = upstreams.data?.upstreams ?? [];
  const scrape = usePolling<string>(rows.length > 0 ? "metrics" : null, 5_000, async (signal) =>
    (await fetchAnswer("/metrics", { signal })).text(),
  );
  const text = scrape.data ?? "";
  const counters: Counters = (name, upstream) =>
    samplesOf(text, PREFIX + name).find((one) => one.labels.upstream === upstream)?.value;
  // The same list for the same scrape: rates compare one with the next.
  const values = useMemo(() => (text ? samplesOf(text, `${PREFIX}notifications_total`) : null), [text]);
  const rates = useRates(
    values,
    (one) => one.labels.upstream ?? "",
    (one) => one.value,
  );
  return (
    <>
      <Fault error={upstreams.error} retry={upstreams.refresh} />
      {upstreams.data && rows.length === 0 && (
        <Panel title="Upstreams">
          <Empty what="No upstream is configured.">
            Test a connection first, then put it into the configuration: <code>Upstreams:0:Name</code> and{" "}
            <code>Upstreams:0:EndpointUrl</code>.
          </Empty>
        </Panel>
      )}
      {rows.map((one) => (
        <UpstreamPanel key={one.name} of={one} counters={counters} rate={rates.of(one.name)} />
      ))}
    </>
  );
}

function UpstreamPanel({ of, counters, rate }: { of: Upstream; counters: Counters; rate: number | null }) {
  const [kind, words] = STATES[of.state] ?? ["none", of.state];
  const count = (name: string) => counters(name, of.name);
  return (
    <Panel
      title={of.name}
      aside={
        <span class="row">
          <State kind={kind}>{words}</State>
          <span class="muted small">for {since(of.since)}</span>
        </span>
      }
    >
      {of.lastError && kind !== "ok" && (
        <Note kind={kind === "fault" ? "fault" : "warning"}>
          <p>{of.lastError}</p>
          <Remedy text={of.remedy} />
        </Note>
      )}
      {of.insecure && <Note kind="warning">Not secure: {of.insecureReason}</Note>}
      {of.bounds
        .filter((one) => one.count > 0)
        .map((one) => (
          <Note key={one.bound} kind="warning">
            Its answers have reached the limit <code>{one.limit}</code> {amount(one.count)} times: nodes are missing.
          </Note>
        ))}
      <Facts
        of={[
          ["Endpoint", <code key="url">{of.endpointUrl}</code>],
          ["Security", [of.securityMode, of.securityPolicy?.split("#").at(-1)].filter(Boolean).join(", ")],
          ["Nodes", `${amount(of.nodes)} in ${counted(of.namespaces, "namespace")}`],
          ["Items watched there", amount(count("monitored_items"))],
          ["Values", `${amount(count("notifications_total"))}, ${amount(rate)} a second now`],
          [
            "Connected",
            `${counted(count("connects_total") ?? 0, "time")}, ${counted(count("connect_failures_total") ?? 0, "failure")}`,
          ],
          ["Lost messages (gaps)", amount(count("lost_messages_total"))],
          ["Connecting suspended", `${amount(count("circuit_breaks_total"))} times`],
          ["Last error", lastErrorOf(of, kind)],
        ]}
      />
    </Panel>
  );
}

/** That of an upstream which is not in order stands above. */
function lastErrorOf(of: Upstream, kind: Kind): string | undefined {
  if (!of.lastError) return "none";
  return kind === "ok" ? `${of.lastError} (${moment(of.lastErrorAt)})` : undefined;
}
