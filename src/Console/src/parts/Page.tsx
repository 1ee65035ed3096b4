import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isFirstPage } from "../app/router.ts";

interface Props {
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}

/** A page with its heading, where the keyboard goes on after a change of page. */
export function Page({ title, aside, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} – OPC UA Gateway`;
    if (!isFirstPage()) heading.current?.focus();
  }, [title]);
  return (
    <div class="page">
      <div class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside}
      </div>
      {children}
    </div>
  );
}
