import { inWords } from "../api/problem.ts";
import { Note } from "./State.tsx";

/** An error in words with its remedy; nothing where there is none. */
export function Fault({ error, retry }: { error: unknown; retry?: () => void }) {
  if (!error) return null;
  const { what, remedy } = inWords(error);
  return (
    <div role="alert">
      <Note kind="fault">
        <p>
          <strong>{what}</strong> {remedy}
        </p>
        {retry && (
          <button type="button" class="small-button" onClick={retry}>
            Try again
          </button>
        )}
      </Note>
    </div>
  );
}
