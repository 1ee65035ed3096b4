import { describe, expect, it } from "vitest";
import { textOfValue, valueOfText } from "./values.ts";

describe("valueOfText", () => {
  it.each([
    ["7", "Int32", false, 7],
    ["-1.5e3", "Double", false, -1500],
    ["true", "Boolean", false, true],
    ["7", "String", false, "7"],
    ["18446744073709551615", "UInt64", false, "18446744073709551615"],
    ["[1, 2]", "Int32", true, [1, 2]],
    ['["a"]', "String", true, ["a"]],
    ["2026-01-01T00:00:00Z", "DateTime", false, "2026-01-01T00:00:00Z"],
    ["free text", undefined, false, "free text"],
  ])("%s as %s", (text, type, isArray, value) => expect(valueOfText(text, type, isArray)).toEqual(value));

  it("says what to type", () => {
    expect(() => valueOfText("seven", "Int32", false)).toThrow("Type a number");
    expect(() => valueOfText("1, 2", "Int32", true)).toThrow("square brackets");
  });
});

it("shows texts as they are", () => {
  expect(textOfValue("<b>x</b>")).toBe("<b>x</b>");
  expect(textOfValue([1, 2])).toBe("[1,2]");
});
