import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { rename } from "../app/router.ts";

export interface Tab {
  id: string;
  title: ComponentChildren;
  show: () => ComponentChildren;
}

/** Parts of a page of which one is shown; arrow keys go from one to the next. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const id = useId();
  const named = () => tabs.findIndex((tab) => `#${tab.id}` === location.hash);
  const [at, setAt] = useState(() => Math.max(0, named()));
  const latest = useRef(named);
  latest.current = named;
  // A link within the page may name another tab.
  useEffect(() => {
    const follow = () => {
      const next = latest.current();
      if (next >= 0) setAt(next);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  const list = useRef<HTMLDivElement>(null);
  const choose = (index: number) => {
    setAt(index);
    rename(`#${tabs[index]?.id ?? ""}`);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = step ? (at + step + tabs.length) % tabs.length : { Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKey}>
        {tabs.map((tab, index) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={index === at}
            aria-controls={`${id}-panel`}
            tabIndex={index === at ? 0 : -1}
            onClick={() => choose(index)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div class="stack" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tabs[at]?.id}`}>
        {tabs[at]?.show()}
      </div>
    </>
  );
}
