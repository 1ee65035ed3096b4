import { expect, it } from "vitest";
import { ATTRIBUTE_IDS, attributesIn } from "./attributesIn.ts";

const NOT_HERE = { StatusCode: { Code: 0x80350000 } };

/** As Read answers: one result for each id that was asked for. */
function answerOf(values: Record<number, unknown>): unknown {
  return { Results: ATTRIBUTE_IDS.map((id) => values[id] ?? NOT_HERE) };
}

it("leaves out what the node does not have", () => {
  expect(attributesIn(answerOf({ 2: { UaType: 6, Value: 2 }, 20: { UaType: 1, Value: false } }))).toEqual([
    ["NodeClass", "Variable"],
    ["Historizing", "false"],
  ]);
});

it("spells masks out, and shows a default that was left out", () => {
  expect(attributesIn(answerOf({ 12: { Value: 1 }, 17: { Value: 3 }, 18: { Value: 0 }, 5: {} }))).toEqual([
    ["Description", "none"],
    ["EventNotifier", "1 (SubscribeToEvents)"],
    ["AccessLevel", "3 (CurrentRead, CurrentWrite)"],
    ["UserAccessLevel", "0"],
  ]);
});

it("shows a text without its locale, and an answer that is none as nothing", () => {
  expect(attributesIn(answerOf({ 4: { Value: { Text: "Zähler", Locale: "de" } } }))).toEqual([
    ["DisplayName", "Zähler"],
  ]);
  expect(attributesIn({})).toEqual([]);
});
