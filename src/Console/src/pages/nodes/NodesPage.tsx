import { useState } from "preact/hooks";
import { withQuery } from "../../api/lists.ts";
import { rename } from "../../app/router.ts";
import { Page } from "../../parts/Page.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { NodePanel } from "./NodePanel.tsx";
import { NodeSearch } from "./NodeSearch.tsx";
import { Branch } from "./Tree.tsx";

const OBJECTS = "i=85";

export default function NodesPage() {
  const [node, setNode] = useState(() => new URLSearchParams(location.search).get("node") ?? OBJECTS);
  const choose = (chosen: string) => {
    rename(withQuery("/nodes", { node: chosen }));
    setNode(chosen);
  };
  return (
    <Page title="Address space">
      <div class="browse">
        <div class="stack">
          <Panel title="Search">
            <NodeSearch onChoose={(found) => choose(found.node)} />
          </Panel>
          <Panel title="Objects">
            <div class="tree">
              <Branch parent={OBJECTS} chosen={node} onChoose={choose} />
            </div>
          </Panel>
        </div>
        <div class="stack">
          <NodePanel id={node} onChoose={choose} />
        </div>
      </div>
    </Page>
  );
}
