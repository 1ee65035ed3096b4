import { useLive } from "../../api/live.ts";
import { usePolled } from "../../api/polled.ts";
import { me } from "../../api/session.ts";
import type { Node } from "../../api/types.ts";
import { Facts } from "../../parts/Facts.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Attributes } from "./Attributes.tsx";
import { CallForm } from "./CallForm.tsx";
import { Copies } from "./Copies.tsx";
import { Current } from "./Current.tsx";
import { PlotPanel } from "./PlotPanel.tsx";
import { isPlotted, MOST_PLOTTED, plot, plotted } from "./plotted.ts";
import { References } from "./References.tsx";
import { pathOf } from "./Tree.tsx";
import { WriteForm } from "./WriteForm.tsx";

/** A node: its attributes, its value as it changes, and what the user may do with it. */
export function NodePanel({ id, onChoose }: { id: string; onChoose: (node: string) => void }) {
  const asked = usePolled<Node>(pathOf(id), 30_000);
  const node = asked.data;
  const isReadable = node?.nodeClass === "Variable" && node.access.includes("read");
  const live = useLive(isReadable ? [node.node] : [], 500);
  const value = node ? live.values.get(node.node) : undefined;
  if (!node) return <Fault error={asked.error} retry={asked.refresh} />;
  const isNumber = typeof value?.value === "number" || typeof value?.value === "boolean";
  return (
    <>
      <Panel
        title={node.displayName}
        aside={
          node.nodeClass === "Variable" && (
            <span class="row">
              {isNumber && (
                <button
                  type="button"
                  disabled={isPlotted(node.node) || plotted.value.length >= MOST_PLOTTED}
                  onClick={() => plot({ node: node.node, name: node.displayName })}
                >
                  Plot it
                </button>
              )}
              <a class="button" href={`/trace?node=${encodeURIComponent(node.node)}`}>
                Why is there no data?
              </a>
            </span>
          )
        }
      >
        <Fault error={live.error} />
        {value && <Current of={value} />}
        <Facts
          of={[
            ["Node id", <code key="id">{node.node}</code>],
            ["Path", node.path],
            ["Class", node.nodeClass],
            ["Browse name", node.browseName],
            ["Description", node.description],
            ["Type", linkTo(node.typeDefinition, onChoose)],
            ["Data type", linkTo(node.dataType, onChoose)],
            ["Value rank", rankOf(node.valueRank)],
            ["You may", node.access.join(", ") || "browse"],
          ]}
        />
        {node.nodeClass === "Variable" && node.access.includes("write") && me.value?.canWrite && (
          <WriteForm key={node.node} node={node} value={value} />
        )}
        {node.nodeClass === "Method" && node.access.includes("call") && me.value?.canCall && (
          <CallForm key={node.node} method={node} />
        )}
      </Panel>
      <PlotPanel />
      <Attributes key={`attributes ${node.node}`} node={node.node} />
      <References key={node.node} node={node.node} onChoose={onChoose} />
      <Copies node={node} />
    </>
  );
}

function linkTo(node: string | undefined, onChoose: (node: string) => void) {
  if (!node) return undefined;
  return (
    <button type="button" class="link mono" onClick={() => onChoose(node)}>
      {node}
    </button>
  );
}

/** Source: Part 3 §5.6.2. */
function rankOf(rank: number | undefined): string | undefined {
  if (rank === undefined) return undefined;
  const words: Record<string, string> = { "-3": "scalar or one dimension", "-2": "any", "-1": "scalar", "0": "array" };
  return words[rank] ?? `array of ${rank} ${rank === 1 ? "dimension" : "dimensions"}`;
}
