import { useId, useState } from "preact/hooks";
import { can } from "../../api/session.ts";
import { Copy } from "../../parts/Copy.tsx";
import { useFiles } from "../configuration/files.ts";
import { Where } from "../configuration/Where.tsx";
import { asArguments, asJson, asYaml, nameOf, settingsOf, type Typed } from "./settings.ts";

/** What was tested, as the configuration takes it, and where to put it. */
export function Saving({ typed }: { typed: Typed }) {
  const id = useId();
  const [name, setName] = useState(() => nameOf(typed.endpointUrl));
  const files = useFiles();
  const settings = settingsOf(name, typed);
  return (
    <>
      <h3>Keep it</h3>
      <Where of={files} />
      <div class="field">
        <label for={id}>Its name in the gateway</label>
        <input id={id} value={name} spellcheck={false} onInput={(event) => setName(event.currentTarget.value)} />
      </div>
      <Copy name="For appsettings.json: one more element of Upstreams" text={asJson(settings)} />
      <Copy name="For the values of the Helm chart" text={asYaml(settings)} />
      <Copy name="For the command line" text={asArguments(settings, files.nextUpstream)} />
      {typed.password && (
        <p class="muted">
          The password is not shown. Put it in place of <code>THE PASSWORD</code>, or leave that line out and set the
          environment variable <code>{`Upstreams__${files.nextUpstream}__Password`}</code>.
        </p>
      )}
      {can("manageConfiguration") && (
        <p>
          Before you put it there, let the gateway judge the whole file:{" "}
          <a href="/configuration#change">check the change</a>.
        </p>
      )}
    </>
  );
}
