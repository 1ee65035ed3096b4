import { signal } from "@preact/signals";

/** The path of the page that is shown. */
export const path = signal(location.pathname);

let moves = 0;

/** True until the user has gone to another page: the browser puts the keyboard where it belongs at first. */
export function isFirstPage(): boolean {
  return moves === 0;
}

export function go(to: string): void {
  if (to !== location.pathname + location.search) history.pushState(null, "", to);
  arrive();
}

function arrive(): void {
  moves++;
  path.value = location.pathname;
}

/** Links of the page itself change the page without a load. Called once. */
export function watchLinks(): void {
  addEventListener("popstate", arrive);
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
    if (link.hash && link.pathname === location.pathname) return;
    event.preventDefault();
    go(link.pathname + link.search);
    scrollTo(0, 0);
  });
}

/** Not of the API, which answers for itself. */
function isPage(pathname: string): boolean {
  return !/^\/(api|opcua|metrics|livez|readyz)/.test(pathname);
}
