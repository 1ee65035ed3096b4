import { expect, it } from "vitest";
import { samplesOf } from "./metrics.ts";

const TEXT = `# HELP gateway_upstream_connects_total Sessions.
# TYPE gateway_upstream_connects_total counter
gateway_upstream_connects_total{upstream="Press"} 3
gateway_upstream_connects_total{upstream="a\\"b\\\\c",other="x"} 1.5e3
gateway_upstream_connects_total_more{upstream="Press"} 9
gateway_up 1
`;

it("reads the samples of one metric with their labels", () => {
  expect(samplesOf(TEXT, "gateway_upstream_connects_total")).toEqual([
    { labels: { upstream: "Press" }, value: 3 },
    { labels: { upstream: 'a"b\\c', other: "x" }, value: 1500 },
  ]);
  expect(samplesOf(TEXT, "gateway_up")).toEqual([{ labels: {}, value: 1 }]);
});
