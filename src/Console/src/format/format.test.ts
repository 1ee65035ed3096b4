import { describe, expect, it } from "vitest";
import { amount, bytes, counted } from "./numbers.ts";
import { moment, since, span } from "./times.ts";

describe("numbers", () => {
  it("are short and never lie about being there", () => {
    expect(amount(undefined)).toBe("–");
    expect(amount(0)).toBe("0");
    expect(amount(2.34567)).toMatch(/^2[.,]35$/);
    expect(amount(1234.5)).toMatch(/^1\D?23[45]$/);
    expect(bytes(1536)).toMatch(/^1[.,]5 KiB$/);
    expect(counted(1, "client")).toBe("1 client");
    expect(counted(2, "client")).toBe("2 clients");
  });
});

describe("times", () => {
  it.each([
    [8, "8 ms"],
    [12_000, "12 s"],
    [90_000, "1 min 30 s"],
    [3_600_000, "1 h"],
    [266_400_000, "3 d 2 h"],
  ])("%d ms are %s", (ms, text) => expect(span(ms)).toBe(text));

  it("are unknown where nothing is", () => {
    expect(moment(undefined)).toBe("–");
    expect(moment("never")).toBe("–");
    expect(since("2026-01-01T00:00:00Z", Date.parse("2026-01-01T00:01:00Z"))).toBe("1 min");
  });
});
