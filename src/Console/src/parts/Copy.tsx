import { useId } from "preact/hooks";
import { tell } from "./toast.ts";

interface Props {
  name: string;
  text: string;
}

/** A text for elsewhere: to read, to select, and to copy with one button. */
export function Copy({ name, text }: Props) {
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

const MOST_ROWS = 24;

/** With those that long lines are broken into. */
function rowsOf(text: string): number {
  const rows = text.split("\n").reduce((sum, line) => sum + 1 + Math.floor(line.length / 72), 0);
  return Math.min(rows, MOST_ROWS);
}
