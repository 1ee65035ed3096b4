import { effect, signal } from "@preact/signals";
import { me } from "../../api/session.ts";
import { Series } from "./series.ts";

export interface Plotted {
  node: string;
  name: string;
}

/** As many as there are colours. */
export const MOST_PLOTTED = 6;

/** What is plotted; it stays while the page is open, whichever node is looked at. */
export const plotted = signal<Plotted[]>([]);

/** The values of all that was plotted. */
export const series = new Series();

export function isPlotted(node: string): boolean {
  return plotted.value.some((one) => one.node === node);
}

export function plot(one: Plotted): void {
  if (!isPlotted(one.node) && plotted.value.length < MOST_PLOTTED) plotted.value = [...plotted.value, one];
}

export function unplot(node: string): void {
  plotted.value = plotted.value.filter((one) => one.node !== node);
  series.forget(node);
}

// The next user may see less.
effect(() => {
  if (me.value) return;
  plotted.value = [];
  series.clear();
});
