import { useId, useRef, useState } from "preact/hooks";
import { useLive } from "../../api/live.ts";
import { amount } from "../../format/numbers.ts";
import { Fault } from "../../parts/Fault.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Plot } from "../../parts/Plot.tsx";
import { save } from "../../parts/save.ts";
import { plotted, series, unplot } from "./plotted.ts";
import { textOfValue } from "./values.ts";

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
  const nodes = plotted.value;
  const live = useLive(
    nodes.map((one) => one.node),
    500,
    (values) => series.take(values, Date.now()),
  );
  if (nodes.length === 0) return null;
  const aligned = isPaused && held.current ? held.current : series.aligned(nodes.map((one) => one.node));
  held.current = aligned;
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
            onChange={(event) => setSeconds(Number(event.currentTarget.value))}
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
        isZoomable
        label={`Values over time; now ${now.join(", ")}`}
        format={amount}
      />
      <p class="small muted">Drag over the plot to zoom, double-click to see all again.</p>
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
