import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface Props {
  title: ComponentChildren;
  aside?: ComponentChildren;
  children: ComponentChildren;
}

/** A part of a page with its heading. */
export function Panel({ title, aside, children }: Props) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
