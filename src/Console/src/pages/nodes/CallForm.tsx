import { useEffect, useId, useState } from "preact/hooks";
import { get, send } from "../../api/client.ts";
import { withQuery } from "../../api/lists.ts";
import type { Node, NodeList, Value } from "../../api/types.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Note } from "../../parts/State.tsx";
import { kindOf } from "./Current.tsx";
import { parentPathOf, typeOf } from "./methods.ts";
import { pathOf } from "./Tree.tsx";
import { textOfValue, valueOfText } from "./values.ts";

/** Source: Part 3 §8.6. */
interface Argument {
  Name: string;
  DataType?: string;
  ValueRank?: number;
  Description?: string | { Text?: string };
}

interface Answer {
  status: string;
  outputs?: unknown[];
  message?: string;
}

/** Calls a method after a confirmation that shows its inputs. */
export function CallForm({ method }: { method: Node }) {
  const [inputs, setInputs] = useState<Argument[] | null>(null);
  const [next, setNext] = useState<unknown[] | null>(null);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    argumentsOf(method.node).then(setInputs, setError);
  }, [method.node]);
  const ask = (form: FormData) => {
    try {
      setNext(
        (inputs ?? []).map((one, index) =>
          valueOfText(String(form.get(`${index}`)), typeOf(one.DataType), isList(one)),
        ),
      );
      setFault(null);
    } catch (failure) {
      setFault((failure as Error).message);
    }
  };
  const call = async () => {
    const object = parentPathOf(method.path);
    setAnswer(await send<Answer>("POST", "/call", { object, method: method.node, inputs: next }));
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        ask(new FormData(event.currentTarget));
      }}
    >
      <Fault error={error} />
      {inputs?.length === 0 && <p class="muted">It takes no inputs.</p>}
      {inputs?.map((one, index) => (
        // Two may have the same name.
        <Input key={index} of={one} name={`${index}`} />
      ))}
      <div class="row">
        <button type="submit" disabled={!inputs}>
          Call …
        </button>
      </div>
      {fault && (
        <div role="alert">
          <Note kind="fault">{fault}</Note>
        </div>
      )}
      <div role="status">
        {answer && (
          <Note kind={kindOf(answer.status)}>
            {answer.status}
            {answer.outputs && answer.outputs.length > 0 && `: ${answer.outputs.map(textOfValue).join(", ")}`}
            {answer.message && `. ${answer.message}`}
          </Note>
        )}
      </div>
      {next && (
        <Confirm title={`Call ${method.displayName}?`} action="Call" run={call} onClose={() => setNext(null)}>
          <Facts
            of={[
              ["Method", <code key="method">{method.node}</code>],
              ["Of", parentPathOf(method.path)],
              ...(inputs ?? []).map((one, index): [string, string] => [one.Name, textOfValue(next[index])]),
            ]}
          />
          <p>The plant may act on it at once.</p>
        </Confirm>
      )}
    </form>
  );
}

function Input({ of, name }: { of: Argument; name: string }) {
  const id = useId();
  const type = typeOf(of.DataType);
  return (
    <div class="field search">
      <label for={id}>
        {of.Name}
        {type && ` (${type}${isList(of) ? " list" : ""})`}
      </label>
      <input id={id} name={name} spellcheck={false} autocomplete="off" />
    </div>
  );
}

function isList(argument: Argument): boolean {
  return (argument.ValueRank ?? -1) >= 0;
}

async function argumentsOf(method: string): Promise<Argument[]> {
  const children = await get<NodeList>(`${pathOf(method)}/children?fields=node,browseName`);
  const inputs = children.nodes.find((one) => one.browseName === "InputArguments");
  if (!inputs) return [];
  const answer = await get<{ values: Value[] }>(withQuery("/values", { node: inputs.node }));
  return (answer.values[0]?.value ?? []) as Argument[];
}
