import type { Certificate } from "../../api/types.ts";
import { date } from "../../format/times.ts";
import { Table } from "../../parts/Table.tsx";
import type { Choice } from "./CertificatesPage.tsx";
import { commonName } from "./names.ts";
import { Validity } from "./Rejected.tsx";

export function CertificateTable({ certificates, choice }: { certificates: Certificate[]; choice: Choice }) {
  return (
    <Table
      label="Certificates"
      rows={certificates}
      keyOf={(one) => one.store + one.thumbprint}
      columns={[
        {
          title: "Certificate",
          cell: (one) => (
            <button type="button" class="link" onClick={() => choice.show(one)}>
              {commonName(one.subject)}
            </button>
          ),
        },
        { title: "Application", cell: (one) => one.applicationUri ?? "", isWideOnly: true },
        { title: "Issuer", cell: (one) => issuerOf(one), isWideOnly: true },
        { title: "State", cell: (one) => <Validity of={one} /> },
        { title: "Until", cell: (one) => <span class="nowrap">{date(one.notAfter)}</span> },
      ]}
    />
  );
}

function issuerOf(one: Certificate): string {
  return one.issuer === one.subject ? "itself" : commonName(one.issuer);
}
