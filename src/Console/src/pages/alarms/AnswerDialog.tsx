import { useId, useRef } from "preact/hooks";
import { send } from "../../api/client.ts";
import type { Alarm } from "../../api/types.ts";
import { full } from "../../format/times.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { tell } from "../../parts/toast.ts";
import { type Act, stateOf } from "./states.ts";

const WORDS: Record<Act, { title: string; action: string; done: string }> = {
  acknowledge: { title: "Acknowledge the alarm", action: "Acknowledge", done: "The alarm is acknowledged." },
  confirm: { title: "Confirm the alarm", action: "Confirm", done: "The alarm is confirmed." },
  comment: { title: "Comment on the alarm", action: "Save the comment", done: "The comment is saved." },
};

interface Props {
  act: Act;
  alarm: Alarm;
  onClose: () => void;
  onDone: () => void;
}

/** Shows the alarm as it was when it was chosen: an answer is to that event, not to a later one. */
export function AnswerDialog({ act, alarm, onClose, onDone }: Props) {
  const id = useId();
  const comment = useRef<HTMLTextAreaElement>(null);
  const words = WORDS[act];
  const run = async () => {
    const text = comment.current?.value.trim() ?? "";
    const body = { alarm: alarm.alarm, eventId: alarm.eventId, ...(text && { comment: text }) };
    await send("POST", `/alarms/${act}`, body);
    tell(words.done);
    onDone();
  };
  return (
    <Confirm title={words.title} action={words.action} run={run} onClose={onClose}>
      <Facts
        of={[
          ["Alarm", alarm.message],
          ["Source", alarm.source],
          ["State", stateOf(alarm)],
          ["Severity", alarm.severity],
          ["Time", full(alarm.time)],
        ]}
      />
      <div class="field">
        <label for={id}>{act === "comment" ? "Comment" : "Comment (may be empty)"}</label>
        <textarea id={id} ref={comment} rows={3} maxLength={500} />
      </div>
    </Confirm>
  );
}
