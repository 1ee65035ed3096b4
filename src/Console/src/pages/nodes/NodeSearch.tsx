import { useId } from "preact/hooks";
import { get } from "../../api/client.ts";
import { withQuery } from "../../api/lists.ts";
import type { Node, NodeList } from "../../api/types.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { useAsk } from "../../parts/useAsk.ts";

const SHOWN = "30";

interface Props {
  /** Of nodes, by commas; none: all. */
  classes?: string;
  onChoose: (node: Node) => void;
}

/** Finds nodes by words of their names, ids and paths. */
export function NodeSearch({ classes = "", onChoose }: Props) {
  const id = useId();
  const { data: found, error, ask } = useAsk<NodeList>();
  const search = (words: string) =>
    ask((signal) => get<NodeList>(withQuery("/search", { q: words, class: classes, limit: SHOWN }), { signal }));
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
