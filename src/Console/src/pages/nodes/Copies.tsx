import { usePolled } from "../../api/polled.ts";
import type { Info, Node } from "../../api/types.ts";
import { Copy } from "../../parts/Copy.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { notationsOf } from "./notations.ts";

/** The node in each notation, and what a script would say. */
export function Copies({ node }: { node: Node }) {
  const info = usePolled<Info>("/info", 600_000);
  return (
    <Panel title="For clients and scripts">
      {notationsOf(node, info.data?.namespaces ?? [], location.origin).map(([name, text]) => (
        <Copy key={name} name={name} text={text} />
      ))}
    </Panel>
  );
}
