import type { Sample } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { Plot } from "../../parts/Plot.tsx";

interface Tile {
  title: string;
  unit: string;
  of: (sample: Sample) => number;
  format: (value: number) => string;
  color: string;
}

const MEBIBYTE = 1_048_576;

const TILES: Tile[] = [
  { title: "Sessions", unit: "", of: (one) => one.sessions, format: amount, color: "--accent" },
  {
    title: "Notifications",
    unit: "a second",
    of: (one) => one.notificationsPerSecond,
    format: amount,
    color: "--accent",
  },
  { title: "Publish lateness", unit: "ms", of: (one) => one.latenessMs, format: amount, color: "--accent" },
  { title: "Rejections", unit: "a second", of: (one) => one.rejectionsPerSecond, format: amount, color: "--fault" },
  { title: "Processor", unit: "% of a core", of: (one) => one.cpuPercent, format: amount, color: "--accent" },
  { title: "Memory", unit: "MiB", of: (one) => one.memoryBytes / MEBIBYTE, format: amount, color: "--accent" },
];

/** The numbers of now with the last ten minutes. */
export function Tiles({ samples }: { samples: Sample[] }) {
  const times = samples.map((one) => Date.parse(one.at) / 1_000);
  return (
    <div class="tiles">
      {TILES.map((tile) => (
        <TileOf key={tile.title} tile={tile} times={times} samples={samples} />
      ))}
    </div>
  );
}

function TileOf({ tile, times, samples }: { tile: Tile; times: number[]; samples: Sample[] }) {
  const values = samples.map(tile.of);
  const now = values.at(-1);
  const most = Math.max(...values, 0);
  const text = (value: number) => `${tile.format(value)} ${tile.unit}`.trim();
  return (
    <section class="panel tile" aria-label={tile.title}>
      <h2 class="small muted">{tile.title}</h2>
      <p class="tile-value">
        {now === undefined ? "–" : tile.format(now)} <small>{tile.unit}</small>
      </p>
      <Plot
        times={times}
        lines={[{ label: tile.title, color: tile.color, values }]}
        height={96}
        label={`${tile.title} over the last ten minutes: now ${now === undefined ? "unknown" : text(now)}, at most ${text(most)}`}
        format={tile.format}
      />
    </section>
  );
}
