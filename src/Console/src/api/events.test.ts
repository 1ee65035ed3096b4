import { describe, expect, it } from "vitest";
import { EventParser } from "./events.ts";

const TEXT = ': hello\n\nid: 1\nevent: values\ndata: {"a":1,\ndata: "b":2}\n\ndata:x\r\n\r\n';
const EVENTS = [
  { event: "values", data: '{"a":1,\n"b":2}' },
  { event: "message", data: "x" },
];

describe("EventParser", () => {
  it("reads events whole", () => expect(new EventParser().take(TEXT)).toEqual(EVENTS));

  it("reads them cut at every place", () => {
    for (let at = 0; at <= TEXT.length; at++) {
      const parser = new EventParser();
      expect([...parser.take(TEXT.slice(0, at)), ...parser.take(TEXT.slice(at))]).toEqual(EVENTS);
    }
  });

  it("keeps back what has not ended", () => expect(new EventParser().take("data: half\n")).toEqual([]));
});
