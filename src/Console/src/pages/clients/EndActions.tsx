import { can } from "../../api/session.ts";

interface Props {
  /** What can be ended: "session". */
  what: string;
  onEnd: () => void;
  onClose: () => void;
}

/** The last row of a client's dialog: to end it, where the user may, and to leave. */
export function EndActions({ what, onEnd, onClose }: Props) {
  return (
    <div class="actions">
      {can("endClients") && (
        <button type="button" class="danger" onClick={onEnd}>
          End the {what} …
        </button>
      )}
      <button type="button" onClick={onClose}>
        Close
      </button>
    </div>
  );
}
