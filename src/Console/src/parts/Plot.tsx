import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { theme } from "../app/theme.ts";

export interface Line {
  label: string;
  /** A custom property of the colours: "--accent". */
  color: string;
  values: (number | null)[];
}

/** What a plot shows at once. */
const SECONDS = 600;

interface Props {
  /** Seconds since 1970, ascending. */
  times: number[];
  lines: Line[];
  height: number;
  /** What the plot shows, in words: its text for those who do not see it. */
  label: string;
  format: (value: number) => string;
  /** How much of it is shown at once. */
  seconds?: number;
  /** Of values that stay until the next: drawn as steps. */
  isStepped?: boolean;
  /** From when to when; null or none: it goes on with time. */
  view?: [from: number, to: number] | null;
  /** Somebody has dragged over it, or double-clicked to see all again. Without it nobody can. */
  onView?: (view: [from: number, to: number] | null) => void;
}

/** A small plot over time. The canvas is a picture: what it says stands in its label. */
export function Plot(props: Props) {
  const { times, lines, height, label, seconds = SECONDS, isStepped = false } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const now = useRef(props);
  now.current = props;
  const names = lines.map((line) => line.label + line.color).join();
  const data: uPlot.AlignedData = [times, ...lines.map((line) => line.values)];
  const latest = useRef(data);
  latest.current = data;

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const make = () => {
      plot.current?.destroy();
      const options = optionsOf(element, now);
      plot.current = new uPlot(options, latest.current, element);
    };
    make();
    const watch = new ResizeObserver(() => {
      const width = element.clientWidth;
      if (width > 0 && plot.current && plot.current.width !== width) plot.current.setSize({ width, height });
    });
    watch.observe(element);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", make);
    return () => {
      scheme.removeEventListener("change", make);
      watch.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [names, height, seconds, isStepped, theme.value]);

  useEffect(() => plot.current?.setData(data));

  return <div class="plot" ref={place} role="img" aria-label={label} />;
}

/** What may change while the plot is there is read from the properties of the moment. */
function optionsOf(element: HTMLElement, now: { current: Props }): uPlot.Options {
  const { lines, height, seconds = SECONDS, isStepped = false, onView } = now.current;
  const isZoomable = onView !== undefined;
  const color = (name: string) => resolved(element, name);
  const axis = {
    stroke: color("--muted"),
    grid: { stroke: color("--line"), width: 1 },
    ticks: { show: false },
    font: `11px ${getComputedStyle(element).fontFamily}`,
  };
  return {
    width: Math.max(element.clientWidth, 100),
    height,
    legend: { show: false },
    cursor: isZoomable ? { drag: { x: true, y: false, setScale: false }, points: { show: false } } : { show: false },
    hooks: isZoomable
      ? {
          setSelect: [(shown) => tellSelected(shown, now)],
          init: [(shown) => shown.over.addEventListener("dblclick", () => now.current.onView?.(null))],
        }
      : {},
    padding: [6, 8, 0, 0],
    scales: {
      x: { range: (_plot, _first, last) => now.current.view ?? [last - seconds, last] },
      y: isZoomable ? {} : { range: (_plot, least, most) => [Math.min(0, least), most > 0 ? most * 1.1 : 1] },
    },
    axes: [
      {
        ...axis,
        incrs: [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800],
        space: 60,
        size: 22,
        values: (_plot, splits, _axis, _space, step) => splits.map((one) => clock(one, step)),
      },
      { ...axis, size: 46, space: 28, values: (_plot, splits) => splits.map((one) => now.current.format(one)) },
    ],
    series: [
      {},
      ...lines.map((line) => ({
        label: line.label,
        stroke: color(line.color),
        width: 1.5,
        points: { show: false },
        spanGaps: false,
        // Between two values of a tag nothing is known.
        ...(isStepped && uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
      })),
    ],
  };
}

/** A click selects nothing. */
function tellSelected(shown: uPlot, now: { current: Props }): void {
  const { left, width } = shown.select;
  if (width <= 0) return;
  const view: [number, number] = [shown.posToVal(left, "x"), shown.posToVal(left + width, "x")];
  shown.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  now.current.onView?.(view);
}

const hourAndMinute = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

const withSeconds = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

function clock(seconds: number, step: number): string {
  return (step < 60 ? withSeconds : hourAndMinute).format(new Date(seconds * 1_000));
}

/** The colour that a custom property has in the theme that is shown; a canvas knows no properties. */
function resolved(element: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  element.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}
