import { describe, expect, it } from "vitest";
import type { Certificate } from "../../api/types.ts";
import { commonName, fingerprint, reasonOf, validity } from "./names.ts";

describe("commonName", () => {
  it.each([
    ["CN=UaExpert, O=Office", "UaExpert"],
    ["O=Office, CN=UaExpert", "UaExpert"],
    ['CN="Press, left", O=Plant', "Press, left"],
    ["O=Office", "O=Office"],
    ["", "without a name"],
    ["CN=<img src=x onerror=alert(1)>", "<img src=x onerror=alert(1)>"],
  ])("of %s", (subject, name) => expect(commonName(subject)).toBe(name));
});

it("writes a fingerprint in pairs", () => expect(fingerprint("0A1B2C")).toBe("0A:1B:2C"));

describe("validity", () => {
  const now = Date.parse("2026-06-01T00:00:00Z");
  const of = (notBefore: string, notAfter: string, expiresInDays: number) =>
    validity({ notBefore, notAfter, expiresInDays } as Certificate, now)[1];

  it("says what is wrong", () => {
    expect(of("2026-01-01", "2030-01-01", 1310)).toBe("Valid");
    expect(of("2026-01-01", "2026-06-20", 19)).toBe("Expires in 19 days");
    expect(of("2020-01-01", "2026-05-01", -31)).toBe("Expired");
    expect(of("2026-07-01", "2030-01-01", 1310)).toBe("Not valid yet");
  });
});

it("leaves out how to move a file by hand", () => {
  expect(
    reasonOf("Untrusted, nobody has trusted it yet: to accept it, move its file from rejected/certs to trusted/certs"),
  ).toBe("Untrusted, nobody has trusted it yet.");
});
