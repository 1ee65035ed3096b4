import { useId } from "preact/hooks";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Saving } from "./Saving.tsx";
import { brokerNameOf, brokerSettingsOf, PUBSUB } from "./settings.ts";
import { Tested } from "./Tested.tsx";
import { useTest } from "./useTest.ts";

/** Tries a connection to a broker before it is saved, step by step. Nothing is published or changed. */
export function BrokerForm() {
  const ids = { address: useId(), version: useId(), ca: useId(), user: useId(), password: useId() };
  const { data, error, isBusy, test } = useTest("/pubsub/test");
  return (
    <Panel title="Test a broker">
      <p class="muted">
        The gateway logs in once, under a client name of its own, tells each step, publishes nothing and keeps nothing.
      </p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void test(event.currentTarget);
        }}
      >
        <div class="field">
          <label for={ids.address}>Address of the broker</label>
          <input id={ids.address} name="address" required spellcheck={false} placeholder="mqtts://192.168.0.20:8883" />
        </div>
        <div class="row">
          <div class="field">
            <label for={ids.version}>MQTT</label>
            <select id={ids.version} name="mqttVersion">
              <option value="">5.0</option>
              <option>3.1.1</option>
            </select>
          </div>
          <div class="field">
            <label for={ids.ca}>File of the authority, at the gateway (empty: its system's)</label>
            <input id={ids.ca} name="caPath" spellcheck={false} />
          </div>
        </div>
        <div class="row">
          <div class="field">
            <label for={ids.user}>User at the broker (empty: none)</label>
            <input id={ids.user} name="user" autocomplete="off" spellcheck={false} />
          </div>
          <div class="field">
            <label for={ids.password}>Password at the broker</label>
            <input id={ids.password} name="password" type="password" autocomplete="off" />
          </div>
        </div>
        <div class="row">
          <button type="submit" class="primary" disabled={isBusy}>
            {isBusy ? "Testing …" : "Test the broker"}
          </button>
        </div>
      </form>
      <Fault error={error} />
      <div role="status">{data && <Tested of={data.answer} />}</div>
      {data?.answer.ok && (
        <Saving
          key={data.typed.address}
          list={PUBSUB}
          first={brokerNameOf(data.typed.address)}
          settings={(name) => brokerSettingsOf(name, data.typed)}
        />
      )}
    </Panel>
  );
}
