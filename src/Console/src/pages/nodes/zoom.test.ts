import { expect, it } from "vitest";
import { moved, zoomedIn, zoomedOut } from "./zoom.ts";

it("zooms in on the end of what goes on, and on the middle of what stands still", () => {
  expect(zoomedIn([0, 60], true)).toEqual([30, 60]);
  expect(zoomedIn([0, 60], false)).toEqual([15, 45]);
  expect(zoomedIn([10, 11], false)).toEqual([10, 11]);
});

it("zooms out until all is shown again", () => {
  expect(zoomedOut([20, 30], 60)).toEqual([15, 35]);
  expect(zoomedOut([0, 30], 60)).toBeNull();
});

it("moves by half of what is shown", () => {
  expect(moved([20, 30], -1)).toEqual([15, 25]);
  expect(moved([20, 30], 1)).toEqual([25, 35]);
});
