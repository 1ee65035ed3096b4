import { Note } from "./State.tsx";
import { toasts } from "./toast.ts";

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((one) => (
        <Note key={one.id} kind={one.kind}>
          {one.text}
        </Note>
      ))}
    </div>
  );
}
