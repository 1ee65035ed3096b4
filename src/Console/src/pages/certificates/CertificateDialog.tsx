import { useState } from "preact/hooks";
import { request } from "../../api/client.ts";
import type { Certificate } from "../../api/types.ts";
import { Dialog } from "../../parts/Dialog.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { save } from "../../parts/save.ts";
import type { Choice } from "./CertificatesPage.tsx";
import { allOf } from "./facts.ts";
import { commonName } from "./names.ts";
import { Validity } from "./Rejected.tsx";

interface Props {
  certificate: Certificate;
  choice: Choice;
  onClose: () => void;
}

export function CertificateDialog({ certificate, choice, onClose }: Props) {
  const [error, setError] = useState<unknown>(null);
  const isOwn = certificate.store === "own";
  const isRejected = certificate.store === "rejected";
  const download = async () => {
    setError(null);
    try {
      const answer = await request(`/certificates/${certificate.thumbprint}/file?format=der`);
      save(await answer.blob(), `${certificate.thumbprint}.der`);
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog title={commonName(certificate.subject)} onClose={onClose}>
      <div class="row">
        <Validity of={certificate} />
      </div>
      <Facts of={allOf(certificate)} />
      <Fault error={error} />
      <div class="actions">
        {isRejected && (
          <button type="button" class="primary" onClick={() => choice.act("trust", certificate)}>
            Trust …
          </button>
        )}
        {!isOwn && !isRejected && (
          <button type="button" class="danger" onClick={() => choice.act("reject", certificate)}>
            Reject …
          </button>
        )}
        {!isOwn && (
          <button type="button" class="danger" onClick={() => choice.act("delete", certificate)}>
            Delete …
          </button>
        )}
        <button type="button" onClick={() => void download()}>
          Download
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
