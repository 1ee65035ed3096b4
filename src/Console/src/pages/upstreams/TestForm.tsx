import { useId } from "preact/hooks";
import { send } from "../../api/client.ts";
import type { TestStep, UpstreamTest } from "../../api/types.ts";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Remedy } from "../../parts/Remedy.tsx";
import { type Kind, Note, State } from "../../parts/State.tsx";
import { useAsk } from "../../parts/useAsk.ts";
import { Saving } from "./Saving.tsx";
import type { Typed } from "./settings.ts";

const STEPS: Record<string, string> = {
  reach: "Reaching the server",
  security: "Security that both sides know",
  certificate: "Its certificate, and ours there",
  session: "The session",
  user: "The user",
  read: "Reading a value",
};

const KINDS: Record<TestStep["state"], [Kind, string]> = {
  ok: ["ok", "In order"],
  fault: ["fault", "Failed"],
  skipped: ["none", "Not tried"],
};

interface Tested {
  /** What the answer is about, whatever stands in the form by now. */
  typed: Typed;
  answer: UpstreamTest;
}

/** Tries a connection before it is saved, step by step. Nothing is changed. */
export function TestForm() {
  const ids = { url: useId(), policy: useId(), mode: useId(), user: useId(), password: useId() };
  const { data, error, isBusy, ask } = useAsk<Tested>();
  const test = (form: HTMLFormElement) => {
    const typed = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== "")) as Typed;
    return ask(async (signal) => {
      const answer = await send<UpstreamTest>("POST", "/upstreams/test", typed, signal);
      return { typed, answer: answer ?? { ok: false, steps: [] } };
    });
  };
  return (
    <Panel title="Test a connection">
      <p class="muted">The gateway connects once with what you type here, tells each step, and keeps nothing of it.</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void test(event.currentTarget);
        }}
      >
        <div class="field">
          <label for={ids.url}>Endpoint URL</label>
          <input
            id={ids.url}
            name="endpointUrl"
            required
            spellcheck={false}
            placeholder="opc.tcp://192.168.0.10:4840"
          />
        </div>
        <div class="row">
          <div class="field">
            <label for={ids.mode}>Security mode</label>
            <select id={ids.mode} name="securityMode">
              <option value="">as by default (SignAndEncrypt)</option>
              <option>Sign</option>
              <option>None</option>
            </select>
          </div>
          <div class="field">
            <label for={ids.policy}>Security policy</label>
            <select id={ids.policy} name="securityPolicy">
              <option value="">the best that the server offers</option>
              <option>Aes256_Sha256_RsaPss</option>
              <option>Aes128_Sha256_RsaOaep</option>
              <option>Basic256Sha256</option>
              <option>None</option>
            </select>
          </div>
        </div>
        <div class="row">
          <div class="field">
            <label for={ids.user}>User (empty: anonymous)</label>
            <input id={ids.user} name="user" autocomplete="off" spellcheck={false} />
          </div>
          <div class="field">
            <label for={ids.password}>Password</label>
            <input id={ids.password} name="password" type="password" autocomplete="off" />
          </div>
        </div>
        <div class="row">
          <button type="submit" class="primary" disabled={isBusy}>
            {isBusy ? "Testing …" : "Test it"}
          </button>
        </div>
      </form>
      <Fault error={error} />
      <div role="status">
        {data && (
          <div class="stack">
            <Note kind={data.answer.ok ? "ok" : "fault"}>
              <strong>{data.answer.ok ? "The connection works." : "The connection does not work yet."}</strong>
            </Note>
            <ol class="list">
              {data.answer.steps.map((one) => (
                <Step key={one.step} of={one} />
              ))}
            </ol>
          </div>
        )}
      </div>
      {data?.answer.ok && <Saving key={data.typed.endpointUrl} typed={data.typed} />}
    </Panel>
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
