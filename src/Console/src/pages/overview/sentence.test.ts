import { describe, expect, it } from "vitest";
import { type Facts, sentenceOf } from "./sentence.ts";

const calm: Facts = {
  upstreams: [
    { name: "Press", state: "online" },
    { name: "Oven", state: "online" },
    { name: "Mixer", state: "online" },
  ],
  clients: 214,
  rejectedLastHour: 0,
  isMore: false,
  faults: 0,
  warnings: 0,
};

describe("sentenceOf", () => {
  it("says that all is well", () => {
    expect(sentenceOf(calm)).toEqual({
      kind: "ok",
      text: "All 3 upstreams deliver; 214 clients; nothing rejected in the last hour.",
    });
  });

  it("names the upstream that does not deliver", () => {
    const facts = { ...calm, upstreams: [{ name: "Press", state: "connecting" }, ...calm.upstreams.slice(1)] };
    expect(sentenceOf(facts)).toEqual({
      kind: "warning",
      text: "1 upstream of 3 does not deliver (Press); 214 clients; nothing rejected in the last hour.",
    });
  });

  it("is a fault when none delivers", () => {
    const facts = { ...calm, upstreams: calm.upstreams.map((one) => ({ ...one, state: "faulted" })) };
    expect(sentenceOf(facts).kind).toBe("fault");
  });

  it("counts rejections, and says when there were more than the list holds", () => {
    expect(sentenceOf({ ...calm, rejectedLastHour: 1 }).text).toContain("1 rejection in the last hour");
    expect(sentenceOf({ ...calm, rejectedLastHour: 1000, isMore: true }).text).toMatch(
      /more than 1\D?000 rejections in the last hour/,
    );
    expect(sentenceOf({ ...calm, rejectedLastHour: 1 }).kind).toBe("warning");
  });

  it("has words for nobody", () => {
    expect(sentenceOf({ ...calm, clients: 0 }).text).toContain("; no client is connected; ");
  });

  it("has words for a gateway without upstreams and for one client", () => {
    expect(sentenceOf({ ...calm, upstreams: [], clients: 1 }).text).toBe(
      "No upstream is configured; 1 client; nothing rejected in the last hour.",
    );
  });
});
