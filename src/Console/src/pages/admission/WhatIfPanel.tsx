import { useId, useState } from "preact/hooks";
import { get } from "../../api/client.ts";
import { withQuery } from "../../api/lists.ts";
import { usePolled } from "../../api/polled.ts";
import type { Limit, WhatIf } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Note } from "../../parts/State.tsx";
import { useAsk } from "../../parts/useAsk.ts";

/** Limits at which clients are rejected, that a person would think of changing. */
const LIMITS = [
  "MaxSessions",
  "MaxSessionsPerUser",
  "MaxSessionsPerCertificate",
  "MaxSessionsPerAddress",
  "MaxConnections",
  "MaxConnectionsPerAddress",
  "MaxConnectionsPerCertificate",
  "MaxConnectionsPerSecond",
  "MaxConnectionsPerSecondPerAddress",
  "MaxPrivateKeyQueueLength",
  "MaxHttpConnections",
];

/** Another value of a limit, tried on what was rejected lately. */
export function WhatIfPanel() {
  const ids = { limit: useId(), value: useId() };
  const limits = usePolled<{ limits: Limit[] }>("/limits?limit=1000&fields=name,inForce", 60_000);
  const { data: answer, error, ask, clear } = useAsk<WhatIf>();
  const [chosen, setChosen] = useState(LIMITS[0] ?? "");
  const inForce = limits.data?.limits.find((one) => one.name === chosen)?.inForce;

  const tryIt = (form: HTMLFormElement) => {
    const value = String(new FormData(form).get("value"));
    return ask((signal) => get<WhatIf>(withQuery("/admission/what-if", { limit: chosen, value }), { signal }));
  };
  // An answer about another limit must not stand below this one's name.
  const choose = (limit: string) => {
    setChosen(limit);
    clear();
  };

  return (
    <Panel title="What if a limit were another?">
      <p class="muted">How many of the last rejected clients would have been let in. Nothing is changed.</p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void tryIt(event.currentTarget);
        }}
      >
        <div class="field">
          <label for={ids.limit}>Limit</label>
          <select id={ids.limit} value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
            {LIMITS.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={ids.value}>
            {inForce === undefined ? "Value" : `Value (now ${typeof inForce === "number" ? amount(inForce) : inForce})`}
          </label>
          <input id={ids.value} name="value" type="number" min="1" max="1000000000" required inputMode="numeric" />
        </div>
        <button type="submit" class="primary">
          Try it
        </button>
      </form>
      <Fault error={error} />
      <div role="status">{answer && <Note kind={answer.known ? "info" : "none"}>{answer.words}</Note>}</div>
    </Panel>
  );
}
