import type { ConnectionTest, TestStep } from "../../api/types.ts";
import { Remedy } from "../../parts/Remedy.tsx";
import { type Kind, Note, State } from "../../parts/State.tsx";

const STEPS: Record<string, string> = {
  reach: "Reaching the server",
  security: "Security that both sides know",
  certificate: "Its certificate, and ours there",
  session: "The session",
  user: "The user",
  read: "Reading a value",
  tls: "TLS, and its certificate",
  login: "The login",
  limits: "Its limits",
};

const KINDS: Record<TestStep["state"], [Kind, string]> = {
  ok: ["ok", "In order"],
  fault: ["fault", "Failed"],
  skipped: ["none", "Not tried"],
};

/** What came of a try to connect, step by step. */
export function Tested({ of }: { of: ConnectionTest }) {
  return (
    <div class="stack">
      <Note kind={of.ok ? "ok" : "fault"}>
        <strong>{of.ok ? "The connection works." : "The connection does not work yet."}</strong>
      </Note>
      <ol class="list">
        {of.steps.map((one) => (
          <Step key={one.step} of={one} />
        ))}
      </ol>
    </div>
  );
}

function Step({ of }: { of: TestStep }) {
  const [kind, word] = KINDS[of.state];
  return (
    <li>
      <div class="row">
        <State kind={kind}>{word}</State>
        <strong>{STEPS[of.step] ?? of.step}</strong>
      </div>
      <p>{of.words}</p>
      <Remedy text={of.remedy} />
    </li>
  );
}
