import { useId, useState } from "preact/hooks";
import { can } from "../../api/session.ts";
import { Copy } from "../../parts/Copy.tsx";
import { nextOf, useFiles } from "../configuration/files.ts";
import { Where } from "../configuration/Where.tsx";
import { asArguments, asJson, asYaml, type Settings } from "./settings.ts";

interface Props {
  /** Of the configuration. */
  list: string;
  /** A first name. */
  first: string;
  settings: (name: string) => Settings;
}

/** What was tested, as the configuration takes it, and where to put it. */
export function Saving({ list, first, settings }: Props) {
  const id = useId();
  const [name, setName] = useState(first);
  const files = useFiles();
  const next = nextOf(files, list);
  const found = settings(name);
  return (
    <>
      <h3>Keep it</h3>
      <Where of={files} />
      <div class="field">
        <label for={id}>Its name in the gateway</label>
        <input id={id} value={name} spellcheck={false} onInput={(event) => setName(event.currentTarget.value)} />
      </div>
      <Copy name={`For appsettings.json: one more element of ${list}`} text={asJson(list, found)} />
      <Copy name="For the values of the Helm chart" text={asYaml(list, found)} />
      <Copy name="For the command line" text={asArguments(list, found, next)} />
      {found.some(([key]) => key === "Password") && (
        <p class="muted">
          The password is not shown. Put it in place of <code>THE PASSWORD</code>, or leave that line out and set the
          environment variable <code>{`${list.replaceAll(":", "__")}__${next}__Password`}</code>.
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
