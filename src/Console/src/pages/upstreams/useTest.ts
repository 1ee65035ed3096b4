import { send } from "../../api/client.ts";
import type { ConnectionTest } from "../../api/types.ts";
import { useAsk } from "../../parts/useAsk.ts";
import type { Typed } from "./settings.ts";

interface Answered {
  /** What the answer is about, whatever stands in the form by now. */
  typed: Typed;
  answer: ConnectionTest;
}

/** Sends what a form holds to be tried. */
export function useTest(path: string) {
  const { data, error, isBusy, ask } = useAsk<Answered>();
  const test = (form: HTMLFormElement) => {
    const typed = Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== "")) as Typed;
    return ask(async (signal) => {
      const answer = await send<ConnectionTest>("POST", path, typed, signal);
      return { typed, answer: answer ?? { ok: false, steps: [] } };
    });
  };
  return { data, error, isBusy, test };
}
