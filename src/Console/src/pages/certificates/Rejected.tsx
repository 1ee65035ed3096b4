import type { Certificate } from "../../api/types.ts";
import { counted } from "../../format/numbers.ts";
import { moment } from "../../format/times.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Panel } from "../../parts/Panel.tsx";
import { State } from "../../parts/State.tsx";
import type { Choice } from "./CertificatesPage.tsx";
import { commonName, reasonOf, validity } from "./names.ts";

const ROLES: Record<string, string> = { client: "a client", server: "an upstream server", user: "a user" };

/** Who knocked and was not let in: why, from where, how often; and the buttons that mend it. */
export function Rejected({ certificates, choice }: { certificates: Certificate[]; choice: Choice }) {
  const newest = [...certificates].sort((a, b) => (b.rejectedAt ?? "").localeCompare(a.rejectedAt ?? ""));
  return (
    <Panel title="Rejected certificates">
      {newest.length === 0 && (
        <Empty what="No certificate was rejected.">
          A client that the gateway does not know appears here after its first try.
        </Empty>
      )}
      <ul class="list">
        {newest.map((one) => (
          <li key={one.thumbprint} class="stack">
            <div class="row">
              <strong>{commonName(one.subject)}</strong>
              <Validity of={one} />
              <span class="muted small">{historyOf(one)}</span>
            </div>
            {one.reason ? (
              <p>{reasonOf(one.reason)}</p>
            ) : (
              <p>The gateway would accept it now: let the client try again.</p>
            )}
            <div class="row">
              <button type="button" class="primary" onClick={() => choice.act("trust", one)}>
                Trust …
              </button>
              {one.issuer !== one.subject && (
                <button type="button" onClick={() => choice.act("trustIssuer", one)}>
                  Trust its issuer …
                </button>
              )}
              <button type="button" onClick={() => choice.act("reject", one)}>
                Keep rejected …
              </button>
              <button type="button" onClick={() => choice.show(one)}>
                Details
              </button>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function Validity({ of }: { of: Certificate }) {
  const [kind, words] = validity(of);
  return <State kind={kind}>{words}</State>;
}

function historyOf(one: Certificate): string {
  const as = one.role ? ` as ${ROLES[one.role] ?? one.role}` : "";
  const from = one.upstream ? ` ${one.upstream}` : one.address ? ` from ${one.address}` : "";
  const when = one.rejectedAt ? `, last at ${moment(one.rejectedAt)}` : "";
  const times = one.rejections ? counted(one.rejections, "time") : "before the start of the gateway";
  return `Rejected ${times}${as}${from}${when}`;
}
