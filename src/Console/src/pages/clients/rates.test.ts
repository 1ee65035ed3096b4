import { describe, expect, it } from "vitest";
import { Rates } from "./rates.ts";

describe("Rates", () => {
  it("has none before the second answer", () => {
    const rates = new Rates();
    rates.take(0, [["a", 100]]);
    expect(rates.of("a")).toBeNull();
  });

  it("divides by the time between", () => {
    const rates = new Rates();
    rates.take(0, [["a", 100]]);
    rates.take(2_000, [["a", 150]]);
    expect(rates.of("a")).toBe(25);
  });

  it("forgets what is gone, and is never below zero", () => {
    const rates = new Rates();
    rates.take(0, [["a", 100]]);
    rates.take(1_000, [["b", 5]]);
    expect(rates.of("a")).toBeNull();
    rates.take(2_000, [["b", 1]]);
    expect(rates.of("b")).toBe(0);
  });
});
