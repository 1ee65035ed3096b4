import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useLive } from "../../api/live.ts";
import { amount } from "../../format/numbers.ts";
import { moment } from "../../format/times.ts";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Plot } from "../../parts/Plot.tsx";
import { save } from "../../parts/save.ts";
import { plotted, series, unplot } from "./plotted.ts";
import { textOfValue } from "./values.ts";
import { ZoomButtons } from "./ZoomButtons.tsx";
import type { View } from "./zoom.ts";

const COLORS = ["--accent", "--ok", "--fault", "--warning", "--plot-5", "--plot-6"];

const WINDOWS = [
  { seconds: 60, text: "1 minute" },
  { seconds: 300, text: "5 minutes" },
  { seconds: 1_800, text: "30 minutes" },
  { seconds: 7_200, text: "2 hours" },
];

/** The numbers that were chosen, over time, in one plot. */
export function PlotPanel() {
  const id = useId();
  const held = useRef<ReturnType<typeof series.aligned> | null>(null);
  const [seconds, setSeconds] = useState(60);
  const [isPaused, setPaused] = useState(false);
  const [view, setView] = useState<View | null>(null);
  const nodes = plotted.value;
  const live = useLive(
    nodes.map((one) => one.node),
    500,
    (values) => series.take(values, Date.now()),
  );
  // While nobody listens, on another page or in an outage, the last value is not that of now.
  useEffect(
    () => () =>
      series.interrupt(
        plotted.value.map((one) => one.node),
        Date.now(),
      ),
    [],
  );
  if (nodes.length === 0) return null;
  const aligned = isPaused && held.current ? held.current : series.aligned(nodes.map((one) => one.node));
  held.current = aligned;
  const last = aligned.times.at(-1) ?? Date.now() / 1_000;
  const shown: View = view ?? [last - seconds, last];
  const now = nodes.map((one) => `${one.name} ${textOfValue(live.values.get(one.node)?.value ?? "unknown")}`);
  return (
    <Panel
      title="Plot"
      aside={
        <div class="row">
          <label for={id}>Show</label>
          <select
            id={id}
            class="small-button"
            value={seconds}
            onChange={(event) => {
              setSeconds(Number(event.currentTarget.value));
              setView(null);
            }}
          >
            {WINDOWS.map((one) => (
              <option key={one.seconds} value={one.seconds}>
                {one.text}
              </option>
            ))}
          </select>
          <button type="button" class="small-button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {isPaused ? "Go on" : "Pause"}
          </button>
          <button
            type="button"
            class="small-button"
            onClick={() => save(new Blob([series.csv(nodes)], { type: "text/csv" }), "gateway-values.csv")}
          >
            Export CSV
          </button>
        </div>
      }
    >
      <Fault error={live.error} />
      <Plot
        times={aligned.times}
        lines={nodes.map((one, index) => ({
          label: one.name,
          color: COLORS[index] ?? "--accent",
          values: aligned.lines[index] ?? [],
        }))}
        height={260}
        seconds={seconds}
        isStepped
        view={view}
        onView={setView}
        label={`Values over time${view ? `, from ${timeOf(view[0])} to ${timeOf(view[1])}` : ""}; now ${now.join(", ")}`}
        format={amount}
      />
      <ZoomButtons view={view} shown={shown} seconds={seconds} onView={setView} />
      <p class="small muted">Dragging over the plot zooms, too; a double click shows all again.</p>
      <ul class="list">
        {nodes.map((one, index) => (
          <li key={one.node} class="row">
            <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
              <rect width="10" height="10" fill={`var(${COLORS[index]})`} />
            </svg>
            <strong>{one.name}</strong>
            <span>{textOfValue(live.values.get(one.node)?.value ?? "–")}</span>
            <button
              type="button"
              class="small-button"
              aria-label={`Remove ${one.name} from the plot`}
              onClick={() => unplot(one.node)}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function timeOf(seconds: number): string {
  return moment(new Date(seconds * 1_000).toISOString());
}
