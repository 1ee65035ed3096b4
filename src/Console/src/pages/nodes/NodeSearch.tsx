import { useId, useState } from "preact/hooks";
import { get } from "../../api/client.ts";
import { withQuery } from "../../api/lists.ts";
import type { Node, NodeList } from "../../api/types.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Fault } from "../../parts/Fault.tsx";

const SHOWN = "30";

interface Props {
  /** Of nodes, by commas; none: all. */
  classes?: string;
  onChoose: (node: Node) => void;
}

/** Finds nodes by words of their names, ids and paths. */
export function NodeSearch({ classes = "", onChoose }: Props) {
  const id = useId();
  const [found, setFound] = useState<NodeList | null>(null);
  const [error, setError] = useState<unknown>(null);
  const search = async (words: string) => {
    setError(null);
    try {
      setFound(await get<NodeList>(withQuery("/search", { q: words, class: classes, limit: SHOWN })));
    } catch (failure) {
      setFound(null);
      setError(failure);
    }
  };
  return (
    <div class="stack">
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void search(String(new FormData(event.currentTarget).get("q")));
        }}
      >
        <div class="field search">
          <label for={id}>Search words of names, ids or paths</label>
          <input id={id} name="q" type="search" required spellcheck={false} />
        </div>
        <button type="submit">Search</button>
      </form>
      <Fault error={error} />
      <div role="status">
        {found?.nodes.length === 0 && (
          <Empty what="No node fits.">Every word must stand in the node or its path.</Empty>
        )}
        {found && (found.next || found.complete === false) && (
          <p class="small muted">There are more: add a word to find fewer.</p>
        )}
      </div>
      {found && found.nodes.length > 0 && (
        <ul class="found">
          {found.nodes.map((node) => (
            <li key={node.node}>
              <button type="button" class="link" onClick={() => onChoose(node)}>
                {node.displayName}
              </button>{" "}
              <span class="small muted">{node.path ?? node.node}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
