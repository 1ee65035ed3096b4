import { useId, useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import type { Node, Value } from "../../api/types.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { Note } from "../../parts/State.tsx";
import { tell } from "../../parts/toast.ts";
import { textOfValue, valueOfText } from "./values.ts";

interface Result {
  results: { node: string; status: string; message?: string }[];
}

/** Writes a value after a confirmation that shows the old one beside the new one. */
export function WriteForm({ node, value }: { node: Node; value: Value | undefined }) {
  const id = useId();
  const [next, setNext] = useState<{ value: unknown } | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const isArray = Array.isArray(value?.value) || (node.valueRank ?? -1) >= 0;
  const ask = (text: string) => {
    try {
      setNext({ value: valueOfText(text, value?.type, isArray) });
      setFault(null);
    } catch (error) {
      setFault((error as Error).message);
    }
  };
  const write = async () => {
    const answer = await send<Result>("PUT", "/values", { values: [{ node: node.node, value: next?.value }] });
    const result = answer?.results[0];
    if (result?.status.startsWith("Good")) tell(`${node.displayName} was written.`);
    else setFault(`Not written: ${result?.status ?? "no answer"}${result?.message ? `, ${result.message}` : ""}.`);
  };
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        ask(String(new FormData(event.currentTarget).get("value")));
      }}
    >
      <div class="field search">
        <label for={id}>New value{value?.type ? ` (${value.type}${isArray ? " list" : ""})` : ""}</label>
        <input id={id} name="value" spellcheck={false} autocomplete="off" />
      </div>
      <button type="submit">Write …</button>
      {fault && (
        <div role="alert">
          <Note kind="fault">{fault}</Note>
        </div>
      )}
      {next && (
        <Confirm title={`Write ${node.displayName}?`} action="Write" run={write} onClose={() => setNext(null)}>
          <Facts
            of={[
              ["Node", <code key="node">{node.node}</code>],
              ["Path", node.path],
              ["Value now", value?.value === undefined ? "none" : textOfValue(value.value)],
              ["New value", textOfValue(next.value)],
            ]}
          />
          <p>The plant may act on it at once.</p>
        </Confirm>
      )}
    </form>
  );
}
