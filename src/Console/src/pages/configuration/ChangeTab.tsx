import { useId, useState } from "preact/hooks";
import { request, send } from "../../api/client.ts";
import { usePolled } from "../../api/polled.ts";
import { ApiError } from "../../api/problem.ts";
import type { ConfigurationReload, ConfigurationVerdict } from "../../api/types.ts";
import { moment } from "../../format/times.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { Copy } from "../../parts/Copy.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { plainTextOf } from "../../parts/encode.ts";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Note, State } from "../../parts/State.tsx";
import { save } from "../../parts/save.ts";
import { tell } from "../../parts/toast.ts";
import { useAsk } from "../../parts/useAsk.ts";
import { useFiles } from "./files.ts";
import { Verdict } from "./Verdict.tsx";
import { Where } from "./Where.tsx";

/** A change is checked before it is made, and shown after it was. */
export function ChangeTab() {
  const last = usePolled<ConfigurationReload>("/config/reload", 5_000);
  return (
    <>
      <CheckPanel />
      <ReloadPanel last={last.data} error={isNever(last.error) ? null : last.error} onReload={last.refresh} />
    </>
  );
}

/** The configuration was not read again since the start. */
function isNever(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

function CheckPanel() {
  const ids = { file: useId(), text: useId() };
  const [text, setText] = useState("");
  const [fileError, setFileError] = useState<unknown>(null);
  const files = useFiles();
  const { data: verdict, error, isBusy, ask, clear } = useAsk<ConfigurationVerdict>();
  // What was judged is no longer what stands there.
  const change = (next: string) => {
    setText(next);
    clear();
  };
  const read = async (file: File | undefined) => {
    setFileError(null);
    try {
      if (file) change(await plainTextOf(file));
    } catch (failure) {
      setFileError(failure);
    }
  };
  const check = () =>
    ask(async (signal) => {
      // As it was typed: the gateway says where it is no JSON.
      const headers = { "Content-Type": "application/json" };
      const answer = await request("/config/check", { method: "POST", body: text, headers, signal });
      return (await answer.json()) as ConfigurationVerdict;
    });
  return (
    <Panel title="Check a change before you make it">
      <p class="muted">
        Choose or paste the whole <code>appsettings.json</code> as it shall be. The gateway judges it and changes
        nothing. Environment and command line have precedence over it, as at a start.
      </p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void check();
        }}
      >
        <div class="field">
          <label for={ids.file}>File</label>
          <input
            id={ids.file}
            type="file"
            accept=".json,application/json"
            onChange={(event) => void read(event.currentTarget.files?.[0])}
          />
        </div>
        <div class="field">
          <label for={ids.text}>Content</label>
          <textarea
            id={ids.text}
            class="mono"
            rows={10}
            required
            spellcheck={false}
            value={text}
            onInput={(event) => change(event.currentTarget.value)}
          />
        </div>
        <div class="row">
          <button type="submit" class="primary" disabled={isBusy}>
            Check it
          </button>
        </div>
      </form>
      <Fault error={fileError ?? error} />
      <div role="status">{verdict && <Verdict of={verdict} />}</div>
      {verdict?.ok && (
        <>
          <h3>Make it</h3>
          <Where of={files} />
          <Copy name="The text that was checked" text={text} />
          <div class="row">
            <button
              type="button"
              onClick={() => save(new Blob([text], { type: "application/json" }), "appsettings.json")}
            >
              Download as appsettings.json
            </button>
          </div>
        </>
      )}
    </Panel>
  );
}

interface ReloadProps {
  last: ConfigurationReload | null;
  error: unknown;
  onReload: () => void;
}

function ReloadPanel({ last, error, onReload }: ReloadProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Panel
      title="The last reload"
      aside={
        <button type="button" onClick={() => setAsking(true)}>
          Reload now …
        </button>
      }
    >
      <Fault error={error} />
      {!last && !error && (
        <Empty what="The configuration was not read again since the start.">
          The gateway reads its file by itself when it has changed.
        </Empty>
      )}
      {last && (
        <>
          <div class="row">
            <State kind={last.applied ? "ok" : "fault"}>
              {last.applied ? "Taken over" : "Wrong: all stayed as it was"}
            </State>
            <span class="muted">
              {moment(last.at)}, by {last.by}
            </span>
          </div>
          {last.faults && last.faults.length > 0 && (
            <Note kind="fault">
              Not taken over by a fault of the gateway: {last.faults.map((one) => one.key ?? one.problem).join(", ")}.
            </Note>
          )}
          <Verdict of={{ ...last, ok: last.applied }} />
        </>
      )}
      {isAsking && (
        <Confirm
          title="Read the configuration again?"
          action="Reload"
          onClose={() => setAsking(false)}
          run={async () => {
            await send("POST", "/config/reload");
            tell("The configuration was read again.");
            onReload();
          }}
        >
          <p>
            The gateway reads its file and takes over what has changed, while sessions stay. If something in it is
            wrong, all of it stays as it is.
          </p>
        </Confirm>
      )}
    </Panel>
  );
}
