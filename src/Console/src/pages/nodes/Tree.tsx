import { useEffect, useState } from "preact/hooks";
import { get } from "../../api/client.ts";
import { withQuery } from "../../api/lists.ts";
import type { Node, NodeList } from "../../api/types.ts";
import { Fault } from "../../parts/Fault.tsx";
import { useAsk } from "../../parts/useAsk.ts";

const PAGE = "100";

/** A node id as a part of a path: its slashes are its own. */
export function pathOf(node: string): string {
  return `/nodes/${encodeURIComponent(node)}`;
}

interface Props {
  parent: string;
  chosen: string;
  onChoose: (node: string) => void;
}

/** The children of a node, asked for when they are first shown, page by page. */
export function Branch({ parent, chosen, onChoose }: Props) {
  const [nodes, setNodes] = useState<Node[]>([]);
  const [next, setNext] = useState<string | undefined>("");
  const { error, isBusy, ask } = useAsk<null>();
  const load = (cursor: string) =>
    ask(async (signal) => {
      const fields = "node,nodeClass,displayName,browseName";
      const path = withQuery(`${pathOf(parent)}/children`, { limit: PAGE, fields, cursor });
      const page = await get<NodeList>(path, { signal });
      setNodes((before) => [...before, ...page.nodes]);
      setNext(page.next);
      return null;
    });
  useEffect(() => void load(""), [parent]);
  if (error) return <Fault error={error} retry={() => void load(next ?? "")} />;
  if (next === undefined && nodes.length === 0) return <p class="small muted">Nothing below.</p>;
  return (
    <ul>
      {nodes.map((node) => (
        <Twig key={node.node} node={node} chosen={chosen} onChoose={onChoose} />
      ))}
      {next && (
        <li>
          <button type="button" class="small-button" disabled={isBusy} onClick={() => void load(next)}>
            More
          </button>
        </li>
      )}
    </ul>
  );
}

function Twig({ node, chosen, onChoose }: { node: Node; chosen: string; onChoose: (node: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <div class="twig">
        <button
          type="button"
          class="plain fold"
          aria-expanded={isOpen}
          aria-label={`Below ${node.displayName}`}
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
        </button>
        <button
          type="button"
          class="plain name"
          aria-current={node.node === chosen ? "true" : undefined}
          onClick={() => onChoose(node.node)}
        >
          {node.displayName}
          {node.nodeClass !== "Object" && <span class="small muted"> {node.nodeClass.toLowerCase()}</span>}
        </button>
      </div>
      {isOpen && <Branch parent={node.node} chosen={chosen} onChoose={onChoose} />}
    </li>
  );
}
