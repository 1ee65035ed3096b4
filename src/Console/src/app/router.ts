import { batch, signal } from "@preact/signals";

/** The path of the page that is shown. */
export const path = signal(location.pathname);

/** Counts the moves: a page that is gone to again begins anew, as its address says. */
export const visit = signal(0);

/** Path and query of what is shown. */
let shown = location.pathname + location.search;

/** True until the user has gone to another page: the browser puts the keyboard where it belongs at first. */
export function isFirstPage(): boolean {
  return visit.value === 0;
}

export function go(to: string): void {
  if (to !== location.pathname + location.search + location.hash) history.pushState(null, "", to);
  arrive();
}

/** What is shown has another address now, without a move. */
export function rename(to: string): void {
  history.replaceState(null, "", to);
  shown = location.pathname + location.search;
}

function arrive(): void {
  shown = location.pathname + location.search;
  batch(() => {
    visit.value++;
    path.value = location.pathname;
  });
}

/** Links of the page itself change the page without a load. Called once. */
export function watchLinks(): void {
  // Browsers tell a step to a place within the page in the same way.
  addEventListener("popstate", () => {
    if (shown !== location.pathname + location.search) arrive();
  });
  document.addEventListener("click", (event) => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (
      !link ||
      link.origin !== location.origin ||
      link.target ||
      link.hasAttribute("download") ||
      !isPage(link.pathname)
    )
      return;
    if (link.hash && link.pathname + link.search === shown) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
    scrollTo(0, 0);
  });
}

/** Not of the API, which answers for itself. */
function isPage(pathname: string): boolean {
  return !/^\/(api|opcua|metrics|livez|readyz)/.test(pathname);
}
