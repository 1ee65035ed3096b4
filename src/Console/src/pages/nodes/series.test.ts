import { describe, expect, it } from "vitest";
import type { Value } from "../../api/types.ts";
import { Series } from "./series.ts";

const of = (node: string, second: number, value: unknown, status = "Good"): Value => ({
  node,
  value,
  status,
  sourceTimestamp: new Date(second * 1_000).toISOString(),
});

describe("Series", () => {
  it("puts nodes on common times, each with its value before", () => {
    const series = new Series();
    series.take([of("a", 10, 1), of("b", 12, true)], 0);
    series.take([of("a", 14, 3)], 0);
    expect(series.aligned(["a", "b"])).toEqual({
      times: [10, 12, 14],
      lines: [
        [1, 1, 3],
        [null, 1, 1],
      ],
    });
  });

  it("has a hole where the value is bad, and never goes back in time", () => {
    const series = new Series();
    series.take([of("a", 10, 1), of("a", 8, 2, "BadNoCommunication")], 0);
    expect(series.aligned(["a"])).toEqual({ times: [10], lines: [[null]] });
  });

  it("has a hole while nobody listened, and takes a value without a time as of now", () => {
    const series = new Series();
    series.take([of("a", 10, 1)], 0);
    series.interrupt(["a", "b"], 12_000);
    series.interrupt(["a"], 13_000);
    series.take([{ node: "a", value: 2, status: "Good", sourceTimestamp: "soon" }], 20_000);
    expect(series.aligned(["a"])).toEqual({ times: [10, 12, 20], lines: [[1, null, 2]] });
    series.forget("a");
    expect(series.aligned(["a"]).times).toEqual([]);
  });

  it("writes CSV that no spreadsheet runs", () => {
    const series = new Series();
    series.take([of('=x"y', 10, 1.5)], 0);
    expect(series.csv([{ node: '=x"y', name: "x" }])).toBe('time,"\'=x""y"\r\n1970-01-01T00:00:10.000Z,1.5\r\n');
  });
});
