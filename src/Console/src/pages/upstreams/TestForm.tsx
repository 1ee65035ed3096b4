import { useId } from "preact/hooks";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Saving } from "./Saving.tsx";
import { nameOf, settingsOf, UPSTREAMS } from "./settings.ts";
import { Tested } from "./Tested.tsx";
import { useTest } from "./useTest.ts";

/** Tries a connection before it is saved, step by step. Nothing is changed. */
export function TestForm() {
  const ids = { url: useId(), policy: useId(), mode: useId(), user: useId(), password: useId() };
  const { data, error, isBusy, test } = useTest("/upstreams/test");
  return (
    <Panel title="Test an upstream">
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
      <div role="status">{data && <Tested of={data.answer} />}</div>
      {data?.answer.ok && (
        <Saving
          key={data.typed.endpointUrl}
          list={UPSTREAMS}
          first={nameOf(data.typed.endpointUrl)}
          settings={(name) => settingsOf(name, data.typed)}
        />
      )}
    </Panel>
  );
}
