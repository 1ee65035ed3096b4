import { useId, useState } from "preact/hooks";
import { textOf } from "./encode.ts";
import { Fault } from "./Fault.tsx";

interface Choice {
  value: string;
  text: string;
}

interface Props {
  label: string;
  /** Endings of names. */
  accept: string;
  /** Where it may go; with one there is nothing to choose. */
  choices: Choice[];
  /** Rejects where the gateway refuses: the form says why. */
  send: (content: string, choice: string) => Promise<void>;
}

/** A file of the user's to the gateway. */
export function FileForm({ label, accept, choices, send }: Props) {
  const ids = { file: useId(), choice: useId() };
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const upload = async (form: HTMLFormElement) => {
    const given = new FormData(form);
    const file = given.get("file");
    if (!(file instanceof Blob)) return;
    setError(null);
    setBusy(true);
    try {
      await send(await textOf(file), String(given.get("choice") ?? choices[0]?.value ?? ""));
      form.reset();
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void upload(event.currentTarget);
        }}
      >
        <div class="field">
          <label for={ids.file}>{label}</label>
          <input id={ids.file} name="file" type="file" required accept={accept} />
        </div>
        {choices.length > 1 && (
          <div class="field">
            <label for={ids.choice}>To</label>
            <select id={ids.choice} name="choice">
              {choices.map((one) => (
                <option key={one.value} value={one.value}>
                  {one.text}
                </option>
              ))}
            </select>
          </div>
        )}
        <button type="submit" disabled={isBusy}>
          Upload
        </button>
      </form>
      <Fault error={error} />
    </>
  );
}
