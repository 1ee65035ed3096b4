import { useId } from "preact/hooks";
import { usePolled } from "../../api/polled.ts";
import type { Info, Node } from "../../api/types.ts";
import { Panel } from "../../parts/Panel.tsx";
import { tell } from "../../parts/toast.ts";
import { notationsOf } from "./notations.ts";

/** The node in each notation, and what a script would say. */
export function Copies({ node }: { node: Node }) {
  const info = usePolled<Info>("/info", 600_000);
  return (
    <Panel title="For clients and scripts">
      {notationsOf(node, info.data?.namespaces ?? [], location.origin).map(([name, text]) => (
        <Copy key={name} name={name} text={text} />
      ))}
    </Panel>
  );
}

function Copy({ name, text }: { name: string; text: string }) {
  const id = useId();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      tell(`${name} is in the clipboard.`);
    } catch {
      // Over plain HTTP from another machine browsers allow none: then it is selected for the keyboard.
      const field = document.getElementById(id);
      if (field instanceof HTMLTextAreaElement) field.select();
      tell(`${name} is selected: copy it with the keyboard.`, "info");
    }
  };
  return (
    <div class="field">
      <label for={id}>{name}</label>
      <div class="copy">
        <textarea id={id} class="mono" readonly rows={rowsOf(text)} value={text} />
        <button type="button" aria-label={`Copy: ${name}`} onClick={() => void copy()}>
          Copy
        </button>
      </div>
    </div>
  );
}

/** With those that long lines are broken into. */
function rowsOf(text: string): number {
  return text.split("\n").reduce((rows, line) => rows + 1 + Math.floor(line.length / 72), 0);
}
