import { send } from "../../api/client.ts";
import type { Certificate } from "../../api/types.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { Note } from "../../parts/State.tsx";
import { tell } from "../../parts/toast.ts";
import { identityOf } from "./facts.ts";
import { commonName, reasonOf } from "./names.ts";

export type Act = "trust" | "trustIssuer" | "reject" | "delete";

interface Words {
  title: string;
  action: string;
  isDangerous: boolean;
  effect: (of: Certificate) => string;
  done: (name: string) => string;
  method: string;
  path: string;
}

const WORDS: Record<Act, Words> = {
  trust: {
    title: "Trust this certificate?",
    action: "Trust it",
    isDangerous: false,
    effect: (of) =>
      of.role === "user"
        ? "Whoever has its private key may log in as a user. Compare the fingerprint with that at the user's side first."
        : "Whoever has its private key may connect. Compare the fingerprint with that at the client's side first. Its next try succeeds.",
    done: (name) => `${name} is trusted now.`,
    method: "POST",
    path: "/trust",
  },
  trustIssuer: {
    title: "Trust its issuer?",
    action: "Trust the issuer",
    isDangerous: false,
    effect: () =>
      "Every certificate that this authority has issued, and will issue, may connect. The authority's revocation list decides on exceptions.",
    done: (name) => `The issuer of ${name} is trusted now.`,
    method: "POST",
    path: "/trust-issuer",
  },
  reject: {
    title: "Keep this certificate out?",
    action: "Reject it",
    isDangerous: true,
    effect: () =>
      "Connections that use it end at once. It stays rejected until somebody trusts it. If its issuer is trusted, revoke it there too.",
    done: (name) => `${name} is rejected.`,
    method: "POST",
    path: "/reject",
  },
  delete: {
    title: "Delete this certificate?",
    action: "Delete it",
    isDangerous: true,
    effect: () => "Its file is deleted. Connections that were let in because of it end at once.",
    done: (name) => `The certificate of ${name} is deleted.`,
    method: "DELETE",
    path: "",
  },
};

interface Props {
  act: Act;
  certificate: Certificate;
  onClose: () => void;
  onDone: () => void;
}

/** Shows whose certificate it is and what will come of it, before anything is done. */
export function ActDialog({ act, certificate, onClose, onDone }: Props) {
  const words = WORDS[act];
  return (
    <Confirm
      title={words.title}
      action={words.action}
      isDangerous={words.isDangerous}
      onClose={onClose}
      run={async () => {
        await send(words.method, `/certificates/${certificate.thumbprint}${words.path}`);
        tell(words.done(commonName(certificate.subject)));
        onDone();
      }}
    >
      <Facts of={identityOf(certificate)} />
      {certificate.reason && act !== "delete" && (
        <Note kind="warning">
          <strong>Why it was rejected:</strong> {reasonOf(certificate.reason)}
        </Note>
      )}
      <p>{words.effect(certificate)}</p>
      <p class="small muted">The audit log says that you did it.</p>
    </Confirm>
  );
}
