import { describe, expect, it } from "vitest";
import type { Session } from "../../api/types.ts";
import { hostOf } from "./addresses.ts";
import { groupsOf } from "./groups.ts";

const of = (user: string | undefined, address: string, items: number) =>
  ({
    user,
    address,
    subscriptions: 1,
    monitoredItems: items,
    notifications: 5,
    queueOverflows: 1,
    lateSubscriptions: 0,
  }) as Session;

describe("groupsOf", () => {
  const sessions = [of("anna", "10.0.0.1:5000", 10), of("bob", "10.0.0.1:5001", 1), of("anna", "10.0.0.2:5000", 5)];

  it("sums what has something in common", () => {
    expect(groupsOf(sessions, "user").map((one) => [one.key, one.sessions, one.monitoredItems])).toEqual([
      ["anna", 2, 15],
      ["bob", 1, 1],
    ]);
    expect(groupsOf(sessions, "address").map((one) => one.key)).toEqual(["10.0.0.1", "10.0.0.2"]);
  });

  it("has a group for those without", () => {
    expect(groupsOf([of(undefined, "10.0.0.1:1", 1)], "user")[0]?.key).toBe("none");
  });
});

it.each([
  ["10.0.0.1:5000", "10.0.0.1"],
  ["[2001:db8::1]:5000", "2001:db8::1"],
  ["2001:db8::1", "2001:db8::1"],
  ["10.0.0.1", "10.0.0.1"],
])("the host of %s", (address, host) => expect(hostOf(address)).toBe(host));
