import { describe, expect, it } from "vitest";
import type { Overview, Sample } from "../../api/types.ts";
import { joined } from "./samples.ts";

function answer(sequence: number, ...of: number[]): Overview {
  return { sequence, intervalMs: 2000, samples: of.map((one) => ({ sequence: one }) as Sample) };
}

describe("joined", () => {
  it("adds what is new and nothing twice", () => {
    const first = joined([], answer(2, 1, 2));
    expect(joined(first, answer(3, 2, 3)).map((one) => one.sequence)).toEqual([1, 2, 3]);
  });

  it("keeps ten minutes", () => {
    const many = Array.from({ length: 400 }, (_, index) => index + 1);
    const kept = joined([], answer(400, ...many));
    expect(kept).toHaveLength(300);
    expect(kept.at(-1)?.sequence).toBe(400);
  });

  it("begins anew after a restart of the gateway", () => {
    const before = joined([], answer(50, 49, 50));
    expect(joined(before, answer(2, 1, 2)).map((one) => one.sequence)).toEqual([1, 2]);
  });
});
