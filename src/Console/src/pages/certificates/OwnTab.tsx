import { useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import type { Certificate } from "../../api/types.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { Fault } from "../../parts/Fault.tsx";
import { FileForm } from "../../parts/FileForm.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { save } from "../../parts/save.ts";
import { tell } from "../../parts/toast.ts";
import { useAsk } from "../../parts/useAsk.ts";
import type { Choice } from "./CertificatesPage.tsx";
import { identityOf } from "./facts.ts";
import { Validity } from "./Rejected.tsx";

/** The gateway's own certificate: what clients and upstreams have to trust. */
export function OwnTab({ certificates, choice }: { certificates: Certificate[]; choice: Choice }) {
  const [isRenewing, setRenewing] = useState(false);
  const { error, isBusy, ask } = useAsk<null>();

  const makeRequest = () =>
    ask(async () => {
      const answer = await send<{ request: string }>("POST", "/own-certificate/request");
      save(new Blob([answer?.request ?? ""], { type: "application/pkcs10" }), "gateway.csr");
      tell("The signing request is in your downloads. Upload here what your authority makes of it.");
      return null;
    });
  const upload = async (certificate: string) => {
    await send("PUT", "/own-certificate", { certificate });
    tell("The new certificate is used for every new connection.");
  };

  return (
    <>
      {certificates.map((one) => (
        // Those that signed it lie in the same file.
        <Panel
          key={one.thumbprint}
          title={one.authority ? "An authority above it" : "The gateway's own certificate"}
          aside={<Validity of={one} />}
        >
          <Facts of={identityOf(one)} />
          <div class="row">
            <button type="button" onClick={() => choice.show(one)}>
              Details and download
            </button>
          </div>
        </Panel>
      ))}
      <Panel title="Replace it">
        <p>
          Clients and upstreams that trust the present certificate have to trust the new one too, unless your authority
          issues it and they trust the authority. New connections get the new certificate; open ones stay as they are.
        </p>
        <div class="row">
          <button type="button" onClick={() => setRenewing(true)}>
            Make a new self-signed one …
          </button>
          <button type="button" disabled={isBusy} onClick={() => void makeRequest()}>
            Make a signing request
          </button>
        </div>
        <FileForm
          label="What the authority has issued (DER or PEM, with its chain)"
          accept=".der,.cer,.crt,.pem"
          choices={[]}
          send={upload}
        />
        <Fault error={error} />
      </Panel>
      {isRenewing && (
        <Confirm
          title="Make a new own certificate?"
          action="Make it"
          onClose={() => setRenewing(false)}
          run={async () => {
            await send("POST", "/own-certificate/new");
            tell("A new certificate was made. It is used for every new connection.");
          }}
        >
          <p>
            The gateway makes a new key and a certificate for it. Open connections stay. When they connect the next
            time, clients and upstreams that have trusted the old one reject the gateway until they trust the new one.
          </p>
        </Confirm>
      )}
    </>
  );
}
