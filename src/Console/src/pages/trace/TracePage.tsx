import { useId, useState } from "preact/hooks";
import { withQuery } from "../../api/lists.ts";
import { usePolled } from "../../api/polled.ts";
import type { Hop, Trace } from "../../api/types.ts";
import { rename } from "../../app/router.ts";
import { amount } from "../../format/numbers.ts";
import { moment, span } from "../../format/times.ts";
import { Facts } from "../../parts/Facts.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { Page } from "../../parts/Page.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Remedy } from "../../parts/Remedy.tsx";
import { type Kind, State } from "../../parts/State.tsx";
import { NodeSearch } from "../nodes/NodeSearch.tsx";

const WORDS: Record<Kind, string> = {
  ok: "In order",
  warning: "Not quite in order",
  fault: "At fault",
  none: "Not used",
  info: "",
};

export default function TracePage() {
  const id = useId();
  const [node, setNode] = useState(() => new URLSearchParams(location.search).get("node") ?? "");
  const choose = (chosen: string) => {
    rename(withQuery("/trace", { node: chosen }));
    setNode(chosen);
  };
  const trace = usePolled<Trace>(node ? withQuery("/trace", { node }) : null, 2_000);
  return (
    <Page title="Why is there no data?">
      <p class="muted">
        Paste or pick a tag. The way of its value is shown hop by hop, and the first hop that is at fault is marked with
        what to do.
      </p>
      <Panel title="Which tag?">
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            choose(String(new FormData(event.currentTarget).get("node")).trim());
          }}
        >
          <div class="field search is-long">
            <label for={id}>Node id or path</label>
            <input
              id={id}
              name="node"
              key={node}
              defaultValue={node}
              required
              spellcheck={false}
              placeholder="ns=2;s=…"
            />
          </div>
          <button type="submit" class="primary">
            Trace it
          </button>
        </form>
        <NodeSearch classes="Variable" onChoose={(chosen) => choose(chosen.node)} />
      </Panel>
      <Fault error={trace.error} retry={trace.refresh} />
      {trace.data && <Way trace={trace.data} />}
    </Page>
  );
}

function Way({ trace }: { trace: Trace }) {
  const first = trace.hops.find((one) => one.first);
  return (
    <>
      <div class={`sentence is-${trace.state}`}>
        <Icon name={trace.state} />
        <div>
          <p>{first ? `${first.title}: ${first.words}` : `The value of ${trace.displayName ?? trace.node} arrives.`}</p>
          <Remedy text={first?.remedy} />
          <p class="small muted">
            {trace.node}, as of {moment(trace.at)}
          </p>
        </div>
      </div>
      <Panel title="The way of its value">
        <ol class="list hops">
          {trace.hops.map((hop) => (
            <HopItem key={hop.hop + hop.title} hop={hop} />
          ))}
        </ol>
      </Panel>
    </>
  );
}

function HopItem({ hop }: { hop: Hop }) {
  const facts = Object.entries(hop.facts ?? {});
  return (
    <li class={hop.first ? `stack is-first is-${hop.state}` : "stack"}>
      <div class="row">
        <State kind={hop.state}>{WORDS[hop.state]}</State>
        <strong>{hop.title}</strong>
        {hop.ageMs !== undefined && <span class="muted small">value is {span(hop.ageMs)} old</span>}
        {hop.since && <span class="muted small">since {moment(hop.since)}</span>}
      </div>
      <p>{hop.words}</p>
      <Remedy text={hop.remedy} />
      {facts.length > 0 && (
        <details>
          <summary class="small">Details</summary>
          <Facts of={facts.map(([name, value]) => [name, typeof value === "number" ? amount(value) : String(value)])} />
        </details>
      )}
    </li>
  );
}
