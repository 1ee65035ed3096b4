import type { Certificate } from "../../api/types.ts";
import type { Kind } from "../../parts/State.tsx";

/** The common name of a subject, or all of it. */
export function commonName(subject: string): string {
  const match = /(?:^|[,+]\s*)CN=("(?:[^"]|"")*"|[^,+]*)/i.exec(subject);
  const name = match?.[1]?.trim() ?? "";
  const plain = name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
  return plain || subject || "without a name";
}

/** Pairs of digits, as certificates are compared by eye. */
export function fingerprint(thumbprint: string): string {
  return thumbprint.match(/.{1,2}/g)?.join(":") ?? thumbprint;
}

/** Days before the end at which somebody should act. */
const SOON = 60;

export function validity(certificate: Certificate, now = Date.now()): [Kind, string] {
  if (Date.parse(certificate.notBefore) > now) return ["fault", "Not valid yet"];
  if (certificate.expiresInDays < 0 || Date.parse(certificate.notAfter) < now) return ["fault", "Expired"];
  if (certificate.expiresInDays <= SOON) return ["warning", `Expires in ${certificate.expiresInDays} days`];
  return ["ok", "Valid"];
}

const STORES: Record<string, string> = {
  own: "this gateway's own",
  rejected: "rejected",
  trusted: "trusted applications",
  issuer: "issuers of applications",
  trustedUser: "trusted users",
  issuerUser: "issuers of users",
};

export function storeOf(store: string): string {
  return STORES[store] ?? store;
}

/** The reason of a rejection, without the words on how to move the file by hand: the buttons do that. */
export function reasonOf(reason: string): string {
  const text = reason.replace(/: to accept it, move its file from \S+ to \S+/g, "").trim();
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
