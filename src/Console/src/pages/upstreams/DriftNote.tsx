import { useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import { can } from "../../api/session.ts";
import type { Upstream } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { moment } from "../../format/times.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { Note } from "../../parts/State.tsx";
import { tell } from "../../parts/toast.ts";

const KINDS: Record<string, string> = {
  namespace_moved: "namespaces at another index; the gateway follows them",
  namespace_gone: "namespaces gone",
  remapped: "nodes under another id; the gateway serves the old ids on",
  renamed: "ids that belong to another name now",
  retyped: "nodes or types of another type",
  gone: "nodes gone",
};

/** How the model of an upstream differs from the accepted one. */
export function DriftNote({ of, refresh }: { of: Upstream; refresh: () => void }) {
  const [asks, setAsks] = useState(false);
  const { drift } = of;
  if (!drift) return null;
  return (
    <Note kind={drift.dangerous ? "fault" : "warning"}>
      <p>Its model is not as it was, since {moment(drift.since)}:</p>
      <ul>
        {Object.entries(drift.counts).map(([kind, count]) => (
          <li key={kind}>
            {amount(count)} {KINDS[kind] ?? kind}
          </li>
        ))}
      </ul>
      <details>
        <summary>The first of each kind</summary>
        <ul class="small">
          {drift.changes.map((one) => (
            <li key={`${one.kind} ${one.node}`}>
              <code>{one.node}</code>: {one.was} → {one.is ?? "gone"}
            </li>
          ))}
        </ul>
      </details>
      {can("manageConfiguration") && (
        <button type="button" onClick={() => setAsks(true)}>
          Accept this model
        </button>
      )}
      {asks && (
        <Confirm
          title="Accept this model?"
          action="Accept it"
          isDangerous={drift.dangerous}
          onClose={() => setAsks(false)}
          run={async () => {
            await send("POST", `/upstreams/${encodeURIComponent(of.name)}/drift/accept`);
            tell(`The model of ${of.name} is accepted.`);
            refresh();
          }}
        >
          <p>The alarm ends. Later changes are told against the model that {of.name} has now.</p>
          <p>Old ids that the gateway serves on stay. All other old ids are unknown to clients.</p>
          <p class="small muted">The audit log says that you did it.</p>
        </Confirm>
      )}
    </Note>
  );
}
