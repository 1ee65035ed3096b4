import { usePolled } from "../../api/polled.ts";
import { useRejections } from "../../api/rejections.ts";
import type { Notices, Rejections, Sample, Upstream } from "../../api/types.ts";
import { moment } from "../../format/times.ts";
import { Fault } from "../../parts/Fault.tsx";
import { Icon } from "../../parts/Icon.tsx";
import { Page } from "../../parts/Page.tsx";
import { Attention } from "./Attention.tsx";
import { Changes } from "./Changes.tsx";
import { sentenceOf } from "./sentence.ts";
import { Tiles } from "./Tiles.tsx";
import { useSamples } from "./useSamples.ts";

const HOUR_MS = 3_600_000;

export default function OverviewPage() {
  const samples = useSamples();
  const upstreams = usePolled<{ upstreams: Upstream[] }>("/upstreams", 5_000);
  const notices = usePolled<Notices>("/notices", 5_000);
  const rejections = useRejections();
  const last = samples.data?.at(-1);
  return (
    <Page title="Overview">
      <Fault error={samples.error ?? upstreams.error ?? rejections.error} />
      {last && upstreams.data && rejections.data && (
        <Sentence
          last={last}
          upstreams={upstreams.data.upstreams}
          rejections={rejections.data}
          notices={notices.data}
        />
      )}
      {samples.data && <Tiles samples={samples.data} />}
      <div class="columns">
        <Attention notices={notices} />
        <Changes notices={notices} rejections={rejections.data} />
      </div>
    </Page>
  );
}

interface Parts {
  last: Sample;
  upstreams: Upstream[];
  rejections: Rejections;
  notices: Notices | null;
}

function Sentence({ last, upstreams, rejections, notices }: Parts) {
  // By the gateway's clock: that of this machine may be another.
  const from = Date.parse(last.at) - HOUR_MS;
  const recent = rejections.decisions.filter((one) => Date.parse(one.at) >= from).length;
  const active = notices?.active ?? [];
  const { kind, text } = sentenceOf({
    upstreams,
    clients: last.sessions,
    rejectedLastHour: recent,
    isMore: recent > 0 && recent === rejections.decisions.length && rejections.total > recent,
    faults: active.filter((one) => one.severity === "fault").length,
    warnings: active.filter((one) => one.severity === "warning").length,
  });
  return (
    <div class={`sentence is-${kind}`}>
      <Icon name={kind} />
      <div>
        <p>{text}</p>
        <p class="small muted">As of {moment(last.at)}</p>
      </div>
    </div>
  );
}
