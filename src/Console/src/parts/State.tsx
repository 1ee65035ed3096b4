import type { ComponentChildren } from "preact";
import { Icon } from "./Icon.tsx";

export type Kind = "ok" | "warning" | "fault" | "info" | "none";

/** A state by icon, colour and text together. */
export function State({ kind, children }: { kind: Kind; children: ComponentChildren }) {
  return (
    <span class={`state is-${kind}`}>
      <Icon name={kind} />
      {children}
    </span>
  );
}

/** A remark that stands in the page: what is so, and what to do about it. */
export function Note({ kind, children }: { kind: Kind; children: ComponentChildren }) {
  return (
    <div class={`note is-${kind}`}>
      <Icon name={kind} />
      <div>{children}</div>
    </div>
  );
}
