import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const KEY = "gateway-theme";

export const theme = signal<Theme>(read());

function read(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** Shows the chosen theme, and keeps it for the next time. Called once. */
export function watchTheme(): void {
  effect(() => {
    const root = document.documentElement;
    if (theme.value === "system") {
      delete root.dataset.theme;
      localStorage.removeItem(KEY);
    } else {
      root.dataset.theme = theme.value;
      localStorage.setItem(KEY, theme.value);
    }
  });
}
