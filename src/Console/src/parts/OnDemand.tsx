import type { ComponentChildren } from "preact";
import { Fault } from "./Fault.tsx";
import { Panel } from "./Panel.tsx";
import { useAsk } from "./useAsk.ts";

interface Props<T> {
  title: string;
  ask: (signal: AbortSignal) => Promise<T>;
  children: (data: T) => ComponentChildren;
}

/** A panel whose content is asked for when somebody wants to see it. */
export function OnDemand<T>({ title, ask, children }: Props<T>) {
  const { data, error, isBusy, ask: begin } = useAsk<T>();
  return (
    <Panel
      title={title}
      aside={
        <button
          type="button"
          class="small-button"
          aria-label={`${data === null ? "Show" : "Read again"}: ${title}`}
          disabled={isBusy}
          onClick={() => void begin(ask)}
        >
          {data === null ? "Show" : "Read again"}
        </button>
      }
    >
      <Fault error={error} />
      {data !== null && children(data)}
    </Panel>
  );
}
