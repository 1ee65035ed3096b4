import type { Admission, Sample } from "../../api/types.ts";
import { amount, counted } from "../../format/numbers.ts";
import { Panel } from "../../parts/Panel.tsx";
import { Plot } from "../../parts/Plot.tsx";
import { type Kind, State } from "../../parts/State.tsx";

interface Props {
  report: Admission;
  samples: Sample[];
}

/** What comes in now: connections, sessions and rejections together, so that a storm shows as it goes. */
export function Storm({ report, samples }: Props) {
  const [kind, words] = weather(report);
  const times = samples.map((one) => Date.parse(one.at) / 1_000);
  const { underWay, window, ratePerSecond } = report.handshakes;
  return (
    <Panel title="Now" aside={<State kind={kind}>{words}</State>}>
      <p>
        {counted(underWay, "handshake")} under way of {amount(window)} at a time; the private keys of this machine make
        about {amount(ratePerSecond)} a second.
      </p>
      <div class="columns">
        <figure>
          <figcaption class="small muted">
            Sessions <span class="legend-1">(blue)</span> and connections <span class="legend-2">(green)</span>
          </figcaption>
          <Plot
            times={times}
            height={150}
            label={`Sessions and connections over the last ten minutes: now ${amount(samples.at(-1)?.sessions)} and ${amount(samples.at(-1)?.connections)}`}
            format={amount}
            lines={[
              { label: "Sessions", color: "--accent", values: samples.map((one) => one.sessions) },
              { label: "Connections", color: "--ok", values: samples.map((one) => one.connections) },
            ]}
          />
        </figure>
        <figure>
          <figcaption class="small muted">Rejections a second</figcaption>
          <Plot
            times={times}
            height={150}
            label={`Rejections a second over the last ten minutes: now ${amount(samples.at(-1)?.rejectionsPerSecond)}`}
            format={amount}
            lines={[{ label: "Rejections", color: "--fault", values: samples.map((one) => one.rejectionsPerSecond) }]}
          />
        </figure>
      </div>
    </Panel>
  );
}

/** Calm, clients that wait, or clients that are rejected. */
export function weather(report: Admission): [Kind, string] {
  const waiting = report.stages.reduce((sum, one) => sum + one.waiting, 0);
  const refused = report.stages.reduce((sum, one) => sum + one.lastMinute.refused, 0);
  if (refused > 0) return ["warning", `${counted(refused, "rejection")} in the last minute`];
  if (waiting > 0) return ["info", `${counted(waiting, "client")} waiting for their turn`];
  return ["ok", "Calm: nobody waits, nothing is rejected"];
}
