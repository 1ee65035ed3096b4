import { usePolled } from "../../api/polled.ts";
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
import { DriftNote } from "./DriftNote.tsx";

const STATES: Record<string, [Kind, string]> = {
  stopped: ["none", "Stopped"],
  connecting: ["warning", "Connecting"],
  loading: ["info", "Loads its nodes"],
  online: ["ok", "Delivers"],
  limited: ["warning", "Delivers, without the nodes above a limit"],
  away: ["fault", "Away"],
  faulted: ["fault", "Rejected: an operator has to act"],
};

export function UpstreamsTab() {
  const upstreams = usePolled<{ upstreams: Upstream[] }>("/upstreams", 3_000);
  const rows = upstreams.data?.upstreams ?? [];
  const rates = useRates(
    upstreams.data?.upstreams ?? null,
    (one) => one.name,
    (one) => one.counts.notifications,
  );
  return (
    <>
      <Fault error={upstreams.error} retry={upstreams.refresh} />
      {upstreams.data && rows.length === 0 && (
        <Panel title="Upstreams">
          <Empty what="No upstream is configured.">
            Test an upstream first, then put it into the configuration: <code>Upstreams:0:Name</code> and{" "}
            <code>Upstreams:0:EndpointUrl</code>.
          </Empty>
        </Panel>
      )}
      {rows.map((one) => (
        <UpstreamPanel key={one.name} of={one} rate={rates.of(one.name)} refresh={upstreams.refresh} />
      ))}
    </>
  );
}

function UpstreamPanel({ of, rate, refresh }: { of: Upstream; rate: number | null; refresh: () => void }) {
  const [kind, words] = STATES[of.state] ?? ["none", of.state];
  const { counts } = of;
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
      <DriftNote of={of} refresh={refresh} />
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
          ["Redundant servers", serversOf(of)],
          ["Security", [of.securityMode, of.securityPolicy?.split("#").at(-1)].filter(Boolean).join(", ")],
          ["Nodes", `${amount(of.nodes)} in ${counted(of.namespaces, "namespace")}`],
          ["Items watched there", itemsOf(counts)],
          ["Load budget", loadOf(of)],
          ["Refused for its load", refusedOf(of)],
          ["Values", `${amount(counts.notifications)}, ${amount(rate)} a second now`],
          ["Latency", latencyOf(of)],
          ["Connected", `${counted(counts.connects, "time")}, ${counted(counts.connectFailures, "failure")}`],
          ["Went on after a break", breaksOf(counts)],
          ["Lost messages", amount(counts.lostMessages)],
          ["Connecting suspended", counted(counts.circuitBreaks, "time")],
          ["Last error", lastErrorOf(of, kind)],
        ]}
      />
    </Panel>
  );
}

/** Those that stand in for each other, and which of them is used. */
function serversOf({ redundancy }: Upstream): string | undefined {
  if (!redundancy) return undefined;
  const servers = redundancy.servers.map((one) => {
    const level = one.serviceLevel === undefined ? "" : `, ServiceLevel ${one.serviceLevel}`;
    const items = one.standbyItems === undefined ? "" : ` with ${counted(one.standbyItems, "item")}`;
    return `${one.endpointUrl} (${one.state}${items}${level}${one.lastError ? `: ${one.lastError}` : ""})`;
  });
  return `${servers.join("; ")}; ${counted(redundancy.failovers, "failover")}`;
}

/** Nodes for which the upstream has no item are read instead. */
function itemsOf({ monitoredItems, cyclicItems }: Upstream["counts"]): string {
  return cyclicItems > 0
    ? `${amount(monitoredItems)}, and ${amount(cyclicItems)} read instead`
    : amount(monitoredItems);
}

/** How much of it the upstream gets now. */
function loadOf({ load }: Upstream): string | undefined {
  if (!load) return undefined;
  if (load.pace >= 1 && load.concurrency >= load.maxConcurrentRequests) return `${load.profile}, all of it`;
  const percent = Math.round(load.pace * 100);
  return `${load.profile}, now ${percent} % of its pace and ${counted(load.concurrency, "request")} at a time: it has too much to do (${load.lastCut}, ${moment(load.lastCutAt)})`;
}

function refusedOf({ load }: Upstream): string | undefined {
  if (!load) return undefined;
  if (!load.lastRefusal) return "nothing";
  const total = Object.values(load.refused).reduce((sum, one) => sum + one, 0);
  return `${counted(total, "time")}; the last ${moment(load.lastRefusalAt)}: ${load.lastRefusal}`;
}

/** Breaks that lost nothing, and those after which the values of the time between are missing. */
function breaksOf({ resumed, transferred, recoveredMessages, gaps }: Upstream["counts"]): string {
  const kept = counted(resumed + transferred, "time");
  return `${kept}, with ${counted(recoveredMessages, "message")} fetched again; ${counted(gaps, "time")} with a gap`;
}

/** That of an upstream which is not in order stands above. */
function lastErrorOf(of: Upstream, kind: Kind): string | undefined {
  if (!of.lastError) return "none";
  return kind === "ok" ? `${of.lastError} (${moment(of.lastErrorAt)})` : undefined;
}

/** From a request to its answer; of an upstream that is away, while it was there. */
function latencyOf({ latency }: Upstream): string {
  if (!latency) return "not known: it has answered nothing yet";
  const { lastMs, meanMs, worstMs, requests } = latency;
  return `${amount(lastMs)} ms; of the last ${counted(requests, "answer")} ${amount(meanMs)} ms on average, ${amount(worstMs)} ms at worst`;
}
