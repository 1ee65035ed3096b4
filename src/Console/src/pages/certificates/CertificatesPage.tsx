import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { readAll } from "../../api/lists.ts";
import { usePolling } from "../../api/polled.ts";
import type { Certificate, Store } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { Page } from "../../parts/Page.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { Tabs } from "../../parts/Tabs.tsx";
import { type Act, ActDialog } from "./ActDialog.tsx";
import { CertificateDialog } from "./CertificateDialog.tsx";
import { CertificateTable } from "./CertificateTable.tsx";
import { OwnTab } from "./OwnTab.tsx";
import { Rejected } from "./Rejected.tsx";
import { RevocationLists } from "./RevocationLists.tsx";
import { UploadForm } from "./UploadForm.tsx";

export interface Choice {
  show: (certificate: Certificate) => void;
  act: (act: Act, certificate: Certificate) => void;
}

export default function CertificatesPage() {
  const list = usePolling<Certificate[]>("certificates", 5_000, (signal) =>
    readAll("/certificates", "certificates", signal),
  );
  const [shown, setShown] = useState<Certificate | null>(null);
  const [act, setAct] = useState<{ act: Act; certificate: Certificate } | null>(null);
  const of = (...stores: Store[]) => (list.data ?? []).filter((one) => stores.includes(one.store));
  const choice: Choice = { show: setShown, act: (chosen, certificate) => setAct({ act: chosen, certificate }) };
  const rejected = of("rejected");
  return (
    <Page title="Certificates">
      <Fault error={list.error} retry={list.refresh} />
      {list.data && (
        <Tabs
          label="Which certificates are shown"
          tabs={[
            {
              id: "rejected",
              title: `Rejected (${amount(rejected.length)})`,
              show: () => <Rejected certificates={rejected} choice={choice} />,
            },
            {
              id: "trusted",
              title: `Trusted (${amount(of("trusted").length)})`,
              show: () => (
                <StorePanel
                  title="Trusted applications"
                  certificates={of("trusted")}
                  choice={choice}
                  empty={
                    <Empty what="No application is trusted.">
                      Let a client connect once: it then stands among the rejected ones, where you trust it. Or upload
                      its certificate here.
                    </Empty>
                  }
                  upload={["trusted"]}
                  onDone={list.refresh}
                />
              ),
            },
            {
              id: "issuers",
              title: `Issuers (${amount(of("issuer", "issuerUser").length)})`,
              show: () => (
                <StorePanel
                  title="Certificates of authorities"
                  certificates={of("issuer", "issuerUser")}
                  choice={choice}
                  empty={
                    <Empty what="No authority is known.">
                      Upload the certificate of the authority that has issued a trusted certificate.
                    </Empty>
                  }
                  upload={["issuer", "issuerUser"]}
                  onDone={list.refresh}
                />
              ),
            },
            {
              id: "users",
              title: `Users (${amount(of("trustedUser").length)})`,
              show: () => (
                <StorePanel
                  title="Users that log in with a certificate"
                  certificates={of("trustedUser")}
                  choice={choice}
                  empty={<Empty what="No user logs in with a certificate." />}
                  upload={["trustedUser"]}
                  onDone={list.refresh}
                />
              ),
            },
            { id: "own", title: "Own", show: () => <OwnTab certificates={of("own")} choice={choice} /> },
            { id: "revocation", title: "Revocation lists", show: () => <RevocationLists /> },
          ]}
        />
      )}
      {shown && <CertificateDialog certificate={shown} choice={choice} onClose={() => setShown(null)} />}
      {act && (
        <ActDialog
          act={act.act}
          certificate={act.certificate}
          onClose={() => setAct(null)}
          onDone={() => {
            setShown(null);
            list.refresh();
          }}
        />
      )}
    </Page>
  );
}

interface StoreProps {
  title: string;
  certificates: Certificate[];
  choice: Choice;
  empty: ComponentChildren;
  upload: Store[];
  onDone: () => void;
}

function StorePanel({ title, certificates, choice, empty, upload, onDone }: StoreProps) {
  return (
    <>
      <Panel title={title}>
        {certificates.length === 0 ? empty : <CertificateTable certificates={certificates} choice={choice} />}
      </Panel>
      <UploadForm stores={upload} onDone={onDone} />
    </>
  );
}
