import type { Certificate } from "../../api/types.ts";
import { full } from "../../format/times.ts";
import type { Fact } from "../../parts/Facts.tsx";
import { fingerprint, storeOf } from "./names.ts";

/** What a person compares before he trusts. */
export function identityOf(one: Certificate): Fact[] {
  return [
    ["Subject", one.subject],
    ["Issuer", one.issuer === one.subject ? "itself (self-signed)" : one.issuer],
    ["Fingerprint (SHA-1)", fingerprint(one.thumbprint)],
    ["Valid from", full(one.notBefore)],
    ["Valid until", full(one.notAfter)],
    ["ApplicationUri", one.applicationUri],
  ];
}

export function allOf(one: Certificate): Fact[] {
  return [
    ...identityOf(one),
    ["Kind", one.authority ? "authority" : undefined],
    ["Folder", storeOf(one.store)],
    ["File", one.file],
    ["Why it was rejected", one.reason],
    ["From", one.address],
    ["First rejected", one.firstRejectedAt ? full(one.firstRejectedAt) : undefined],
    ["Last rejected", one.rejectedAt ? full(one.rejectedAt) : undefined],
  ];
}
