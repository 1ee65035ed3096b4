import { expect, it } from "vitest";
import { parentPathOf, typeOf } from "./methods.ts";

it("finds the object of a method", () => {
  expect(parentPathOf("/Objects/2:Plant/2:Start")).toBe("/Objects/2:Plant");
  expect(parentPathOf("/Objects/2:Plant/2:On&/Off")).toBe("/Objects/2:Plant");
});

it("names built-in types alone", () => {
  expect(typeOf("i=11")).toBe("Double");
  expect(typeOf("i=884")).toBeUndefined();
  expect(typeOf("nsu=urn:x;i=11")).toBeUndefined();
});
