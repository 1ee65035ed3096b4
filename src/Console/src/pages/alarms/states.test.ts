import { expect, it } from "vitest";
import { me } from "../../api/session.ts";
import type { Alarm, Me } from "../../api/types.ts";
import { answersTo, causeOf, kindOf, namesOf, sentenceOf, stateOf } from "./states.ts";

const alarm: Alarm = {
  alarm: "ns=1;s=Alarms/source/Press",
  eventId: "AAAA",
  name: "source Press",
  source: "Press",
  time: "2026-11-26T05:00:00Z",
  severity: 700,
  message: "Press is away",
  active: true,
  acknowledged: false,
  confirmed: true,
  retain: true,
  enabled: true,
  suppressed: false,
  outOfService: false,
  shelving: "Unshelved",
};

it.each([
  [{}, "Active, not acknowledged", "fault"],
  [{ severity: 400 }, "Active, not acknowledged", "warning"],
  [{ acknowledged: true }, "Active", "fault"],
  [{ active: false }, "Over, not acknowledged", "info"],
  [{ active: false, acknowledged: true }, "Over", "ok"],
  [{ acknowledged: true, confirmed: false }, "Active, not confirmed", "fault"],
  [{ branch: "i=1", active: true }, "An earlier time, not acknowledged", "fault"],
])("%o is told as %s", (change, words, kind) => {
  expect(stateOf({ ...alarm, ...change })).toBe(words);
  expect(kindOf({ ...alarm, ...change })).toBe(kind);
});

it("says what keeps an alarm quiet", () => {
  expect(namesOf({ ...alarm, suppressed: true, shelving: "OneShotShelved" })).toEqual(["suppressed", "shelved"]);
  expect(namesOf(alarm)).toEqual([]);
});

it.each([
  [undefined, null],
  ["Good", null],
  ["BadNoCommunication", "cannot be reached"],
  ["Uncertain", "may not have told"],
  ["UncertainSensorNotAccurate", "UncertainSensorNotAccurate"],
])("says why an alarm of quality %s may not be true any more", (quality, words) => {
  const cause = causeOf(quality === undefined ? {} : { quality });
  if (words === null) expect(cause).toBeNull();
  else expect(cause).toContain(words);
});

it("offers what is due, and to nobody who may not", () => {
  me.value = { permissions: ["readState"] } as unknown as Me;
  expect(answersTo(alarm)).toEqual([]);
  me.value = { permissions: ["readState", "answerAlarms"] } as unknown as Me;
  const acts = (one: Alarm) => answersTo(one).map(({ act }) => act);
  expect(acts(alarm)).toEqual(["acknowledge", "comment"]);
  expect(acts({ ...alarm, acknowledged: true, confirmed: false })).toEqual(["confirm", "comment"]);
  expect(acts({ ...alarm, acknowledged: true })).toEqual(["comment"]);
  expect(acts({ ...alarm, enabled: false })).toEqual([]);
});

it("counts in a sentence", () => {
  expect(sentenceOf({ active: [alarm], total: 1 })).toBe("1 alarm is active; 1 waits to be acknowledged.");
  expect(sentenceOf({ active: [alarm, alarm], total: 2 })).toBe("2 alarms are active; 2 wait to be acknowledged.");
  const over = { ...alarm, active: false, acknowledged: true };
  expect(sentenceOf({ active: [over], total: 1 })).toBe("No alarm is active; all are acknowledged.");
  expect(sentenceOf({ active: [alarm], total: 9 })).toBe("9 alarms are of interest. These are the 1 most severe.");
});
