import { callService } from "../../api/services.ts";
import { Facts } from "../../parts/Facts.tsx";
import { OnDemand } from "../../parts/OnDemand.tsx";
import { ATTRIBUTE_IDS, attributesIn } from "./attributesIn.ts";

/** All that Read tells of a node but its Value, under the standard's names. */
export function Attributes({ node }: { node: string }) {
  const read = async (signal: AbortSignal) =>
    attributesIn(
      await callService(
        "read",
        { NodesToRead: ATTRIBUTE_IDS.map((id) => ({ NodeId: node, AttributeId: id })) },
        signal,
      ),
    );
  return (
    <OnDemand<[string, string][]> title="All attributes" ask={read}>
      {(found) => <Facts of={found} />}
    </OnDemand>
  );
}
