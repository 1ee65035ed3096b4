import { can } from "../../api/session.ts";
import type { Alarm, Alarms } from "../../api/types.ts";
import { counted } from "../../format/numbers.ts";
import type { Kind } from "../../parts/State.tsx";

/** The last part of the path: POST /alarms/… */
export type Act = "acknowledge" | "confirm" | "comment";

/** As the gateway gives them to what is a fault, and to what is a warning. */
const FAULT = 700;

export function kindOf(alarm: Alarm): Kind {
  if (!alarm.active) return alarm.acknowledged ? "ok" : "info";
  return alarm.severity >= FAULT ? "fault" : "warning";
}

export function stateOf(alarm: Alarm): string {
  const first = alarm.branch ? "An earlier time" : alarm.active ? "Active" : "Over";
  if (!alarm.acknowledged) return `${first}, not acknowledged`;
  return alarm.confirmed ? first : `${first}, not confirmed`;
}

/** What keeps an alarm quiet. */
export function namesOf(alarm: Alarm): string[] {
  return [
    ...(alarm.suppressed ? ["suppressed"] : []),
    ...(alarm.outOfService ? ["out of service"] : []),
    ...(alarm.shelving === "Unshelved" ? [] : ["shelved"]),
    ...(alarm.enabled ? [] : ["disabled"]),
  ];
}

/** Why the state may not be true any more; null: the data behind it is good. */
export function causeOf({ quality }: Pick<Alarm, "quality">): string | null {
  if (!quality || quality === "Good") return null;
  if (quality === "BadNoCommunication") return "The controller cannot be reached: this is the last state that it told.";
  if (quality === "Uncertain") return "Uncertain: the controller may not have told of this alarm since it came back.";
  return `The controller says that the data behind this alarm is not good: ${quality}.`;
}

/** What this user may do about it now. */
export function answersTo(alarm: Alarm): { act: Act; button: string }[] {
  if (!can("answerAlarms") || !alarm.enabled) return [];
  const comment = { act: "comment" as const, button: "Comment" };
  if (!alarm.acknowledged) return [{ act: "acknowledge", button: "Acknowledge" }, comment];
  if (!alarm.confirmed) return [{ act: "confirm", button: "Confirm" }, comment];
  return [comment];
}

export function sentenceOf({ active: alarms, total }: Pick<Alarms, "active" | "total">): string {
  const active = alarms.filter((one) => one.active && !one.branch).length;
  const waiting = alarms.filter((one) => !one.acknowledged).length;
  if (total > alarms.length) return `${total} alarms are of interest. These are the ${alarms.length} most severe.`;
  const first =
    active === 0 ? "No alarm is active" : `${counted(active, "alarm")} ${active === 1 ? "is" : "are"} active`;
  return waiting === 0
    ? `${first}; all are acknowledged.`
    : `${first}; ${waiting} ${waiting === 1 ? "waits" : "wait"} to be acknowledged.`;
}
