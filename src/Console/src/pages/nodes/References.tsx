import { callService } from "../../api/services.ts";
import { Empty } from "../../parts/Empty.tsx";
import { OnDemand } from "../../parts/OnDemand.tsx";
import { Table } from "../../parts/Table.tsx";
import { type Reference, referencesIn } from "./referencesIn.ts";

/** Both directions, all types; as much of each as a table shows. Source: Part 4 §5.9.2. */
const BOTH_DIRECTIONS = 2;
const ALL_RESULTS = 63;
const MOST = 200;

/** What a node refers to, and what refers to it. */
export function References({ node, onChoose }: { node: string; onChoose: (node: string) => void }) {
  const browse = async (signal: AbortSignal) =>
    referencesIn(
      await callService(
        "browse",
        {
          RequestedMaxReferencesPerNode: MOST,
          NodesToBrowse: [
            { NodeId: node, BrowseDirection: BOTH_DIRECTIONS, IncludeSubtypes: true, ResultMask: ALL_RESULTS },
          ],
        },
        signal,
      ),
    );
  return (
    <OnDemand<Reference[]> title="References" ask={browse}>
      {(found) =>
        found.length === 0 ? (
          <Empty what="It has no references." />
        ) : (
          <Table
            label="References"
            rows={found}
            keyOf={(one) => `${one.isForward}${one.type}${one.node}`}
            columns={[
              { title: "Direction", cell: (one) => (one.isForward ? "to" : "from") },
              { title: "Type", cell: (one) => <code>{one.type}</code> },
              {
                title: "Node",
                cell: (one) => (
                  <button type="button" class="link" onClick={() => onChoose(one.node)}>
                    {one.name || one.node}
                  </button>
                ),
              },
              { title: "Node id", cell: (one) => <code>{one.node}</code>, isWideOnly: true },
            ]}
          />
        )
      }
    </OnDemand>
  );
}
