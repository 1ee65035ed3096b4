import type { ComponentChildren } from "preact";
import { useId, useRef, useState } from "preact/hooks";

export interface Tab {
  id: string;
  title: ComponentChildren;
  show: () => ComponentChildren;
}

/** Parts of a page of which one is shown; arrow keys go from one to the next. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const id = useId();
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      tabs.findIndex((tab) => `#${tab.id}` === location.hash),
    ),
  );
  const list = useRef<HTMLDivElement>(null);
  const choose = (index: number) => {
    setAt(index);
    history.replaceState(null, "", `#${tabs[index]?.id ?? ""}`);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[index]?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) choose((at + step + tabs.length) % tabs.length);
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
