import type { ComponentChildren } from "preact";

/** Where nothing is: what that means, and what to do if something should be there. */
export function Empty({ what, children }: { what: string; children?: ComponentChildren }) {
  return (
    <p class="empty">
      <strong>{what}</strong> {children}
    </p>
  );
}
