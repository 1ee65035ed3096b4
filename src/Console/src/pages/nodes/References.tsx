import { fetchAnswer } from "../../api/client.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Table } from "../../parts/Table.tsx";
import { useAsk } from "../../parts/useAsk.ts";
import { type Reference, referencesIn } from "./referencesIn.ts";

/** Both directions, all types; as much of each as a table shows. Source: Part 4 §5.9.2. */
const BOTH_DIRECTIONS = 2;
const ALL_RESULTS = 63;
const MOST = 200;

/** What a node refers to, and what refers to it; asked for when somebody wants to see it. */
export function References({ node, onChoose }: { node: string; onChoose: (node: string) => void }) {
  const { data: found, error, isBusy, ask } = useAsk<Reference[]>();
  const load = () =>
    ask(async (signal) => {
      const browse = {
        RequestedMaxReferencesPerNode: MOST,
        NodesToBrowse: [
          { NodeId: node, BrowseDirection: BOTH_DIRECTIONS, IncludeSubtypes: true, ResultMask: ALL_RESULTS },
        ],
      };
      const answer = await fetchAnswer("/opcua/browse", {
        method: "POST",
        body: JSON.stringify(browse),
        headers: { "Content-Type": "application/json; encoding=compact" },
        signal,
      });
      return referencesIn(await answer.json());
    });
  return (
    <Panel
      title="References"
      aside={
        <button type="button" class="small-button" disabled={isBusy} onClick={() => void load()}>
          {found ? "Read again" : "Show"}
        </button>
      }
    >
      <Fault error={error} />
      {found?.length === 0 && <Empty what="It has no references." />}
      {found && found.length > 0 && (
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
      )}
    </Panel>
  );
}
