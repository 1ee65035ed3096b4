import { signal } from "@preact/signals";
import type { Kind } from "./State.tsx";

export interface Toast {
  id: number;
  kind: Kind;
  text: string;
}

export const toasts = signal<Toast[]>([]);

let last = 0;

/** Tells that something was done. Errors stay where they belong: beside what was asked for. */
export function tell(text: string, kind: Kind = "ok"): void {
  const id = ++last;
  toasts.value = [...toasts.value.slice(-2), { id, kind, text }];
  setTimeout(() => {
    toasts.value = toasts.value.filter((one) => one.id !== id);
  }, 8_000);
}
