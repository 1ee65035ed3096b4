import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Polled, usePolling } from "./polled.ts";
import { ApiError } from "./problem.ts";

const place = document.createElement("div");

interface Asked {
  signal: AbortSignal;
  answer: (value: string) => void;
  refuse: (error: unknown) => void;
}

let asked: Asked[];
let shown: Polled<string>;

function Page({ of }: { of: string | null }) {
  shown = usePolling<string>(
    of,
    1_000,
    (signal) => new Promise((answer, refuse) => asked.push({ signal, answer, refuse })),
  );
  return <p>{shown.data}</p>;
}

const open = (of: string | null) => act(() => render(<Page of={of} />, place));
const wait = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
const last = (): Asked => {
  const one = asked.at(-1);
  if (!one) throw new Error("nothing was asked");
  return one;
};

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
});

afterEach(() => {
  render(null, place);
  vi.useRealTimers();
});

it("asks again after each answer, one request at a time", async () => {
  open("a");
  await wait(5_000);
  expect(asked).toHaveLength(1);
  last().answer("one");
  await wait(0);
  expect(shown.data).toBe("one");
  await wait(1_000);
  expect(asked).toHaveLength(2);
});

it("keeps the last answer beside an error, and comes when a busy gateway wishes", async () => {
  open("a");
  last().answer("one");
  await wait(1_000);
  last().refuse(new ApiError({ title: "busy", status: 503 }, 7));
  await wait(6_900);
  expect(shown.data).toBe("one");
  expect(shown.error).toBeInstanceOf(ApiError);
  expect(asked).toHaveLength(2);
  await wait(200);
  expect(asked).toHaveLength(3);
});

it("does not take the late answer to another question", async () => {
  open("a");
  const first = last();
  open("b");
  expect(first.signal.aborted).toBe(true);
  last().answer("b");
  first.answer("a");
  await wait(0);
  expect(shown.data).toBe("b");
});

it("shows nothing of before when there is nothing to ask", async () => {
  open("a");
  last().answer("one");
  await wait(0);
  open(null);
  expect(shown.data).toBeNull();
});

it("asks nothing when its page has gone, though a button's answer comes later", async () => {
  open("a");
  last().answer("one");
  await wait(0);
  const { refresh } = shown;
  act(() => render(null, place));
  refresh();
  await wait(10_000);
  expect(asked).toHaveLength(1);
});
