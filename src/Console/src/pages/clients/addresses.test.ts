import { expect, it } from "vitest";
import { hostOf } from "./addresses.ts";

it.each([
  ["10.0.0.1:5000", "10.0.0.1"],
  ["[2001:db8::1]:5000", "2001:db8::1"],
  ["2001:db8::1", "2001:db8::1"],
  ["10.0.0.1", "10.0.0.1"],
])("the host of %s", (address, host) => expect(hostOf(address)).toBe(host));
