import { usePolled } from "../../api/polled.ts";
import { useRejections } from "../../api/rejections.ts";
import type { Admission } from "../../api/types.ts";
import { Fault } from "../../parts/Fault.tsx";
import { Page } from "../../parts/Page.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Note } from "../../parts/State.tsx";
import { Words } from "../../parts/Words.tsx";
import { useSamples } from "../overview/useSamples.ts";
import { Busiest } from "./Busiest.tsx";
import { RejectionsPanel } from "./RejectionsPanel.tsx";
import { Stages } from "./Stages.tsx";
import { Storm } from "./Storm.tsx";
import { WhatIfPanel } from "./WhatIfPanel.tsx";

export default function AdmissionPage() {
  const admission = usePolled<Admission>("/admission", 2_000);
  const rejections = useRejections(5_000);
  const samples = useSamples();
  const report = admission.data;
  return (
    <Page title="Admission">
      <p class="muted">Which clients the gateway lets in, lets wait or rejects, stage by stage, and why.</p>
      <Fault error={admission.error} retry={admission.refresh} />
      {report && !report.enabled && (
        <Note kind="warning">
          <strong>Admission control is switched off</strong> (<code>Admission:Enabled</code>). Only the hard limits
          hold: a storm of clients can delay those that are connected.
        </Note>
      )}
      {report && report.advice.length > 0 && (
        <Panel title="What to change">
          <ul class="list">
            {report.advice.map((one) => (
              <li key={one.text}>
                <Words text={sentence(one.text)} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {report && <Storm report={report} samples={samples.data ?? []} />}
      {report && <Stages stages={report.stages} />}
      <RejectionsPanel rejections={rejections} />
      <WhatIfPanel />
      {report && <Busiest report={report} />}
    </Page>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
