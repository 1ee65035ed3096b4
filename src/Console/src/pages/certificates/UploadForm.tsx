import { send } from "../../api/client.ts";
import type { Certificate, Store } from "../../api/types.ts";
import { FileForm } from "../../parts/FileForm.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { tell } from "../../parts/toast.ts";
import { commonName, storeOf } from "./names.ts";

interface Props {
  stores: Store[];
  onDone: () => void;
}

/** A file of a certificate into one of the folders. */
export function UploadForm({ stores, onDone }: Props) {
  const upload = async (certificate: string, store: string) => {
    const added = await send<Certificate>("POST", "/certificates", { store, certificate });
    tell(`${commonName(added?.subject ?? "")} was added to the ${storeOf(store)}.`);
    onDone();
  };
  return (
    <Panel title="Upload a certificate">
      <FileForm
        label="File (DER or PEM)"
        accept=".der,.cer,.crt,.pem"
        choices={stores.map((value) => ({ value, text: storeOf(value) }))}
        send={upload}
      />
    </Panel>
  );
}
