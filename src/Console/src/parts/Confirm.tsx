import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { inWords } from "../api/problem.ts";
import { Dialog } from "./Dialog.tsx";
import { Fault } from "./Fault.tsx";
import { tell } from "./toast.ts";

interface Props {
  title: string;
  /** What the button does: "Trust", "End the session". */
  action: string;
  isDangerous?: boolean;
  /** Rejects where the gateway refuses: the dialog stays and says why. */
  run: () => Promise<void>;
  onClose: () => void;
  children: ComponentChildren;
}

/** Shows what will be done before it is. */
export function Confirm({ title, action, isDangerous = false, run, onClose, children }: Props) {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  const act = async () => {
    setBusy(true);
    setError(null);
    try {
      await run();
      // Where it was closed meanwhile, another one may stand in its place by now.
      if (isShown.current) onClose();
    } catch (failure) {
      if (!isShown.current) tell(`${title} ${inWords(failure).what}`, "fault");
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Fault error={error} />
      <div class="actions">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class={isDangerous ? "danger" : "primary"} disabled={isBusy} onClick={() => void act()}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
