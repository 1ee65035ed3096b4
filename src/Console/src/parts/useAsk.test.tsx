import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it } from "vitest";
import { type Ask, useAsk } from "./useAsk.ts";

const place = document.createElement("div");
let shown: Ask<string>;

function Form() {
  shown = useAsk<string>();
  return <p>{shown.data}</p>;
}

function question(): {
  work: (signal: AbortSignal) => Promise<string>;
  answer: (text: string) => void;
  gone: () => boolean;
} {
  let answer: (text: string) => void = () => {};
  let signal: AbortSignal | undefined;
  const work = (given: AbortSignal) => {
    signal = given;
    return new Promise<string>((resolve) => {
      answer = resolve;
    });
  };
  return { work, answer: (text) => answer(text), gone: () => signal?.aborted ?? false };
}

const settle = () => act(async () => void (await Promise.resolve()));

afterEach(() => render(null, place));

it("shows the answer to the last question, whichever comes last", async () => {
  act(() => render(<Form />, place));
  const [slow, quick] = [question(), question()];
  act(() => void shown.ask(slow.work));
  act(() => void shown.ask(quick.work));
  quick.answer("quick");
  await settle();
  slow.answer("slow");
  await settle();
  expect(shown.data).toBe("quick");
  expect(shown.isBusy).toBe(false);
});

it("ends the question with the page", () => {
  act(() => render(<Form />, place));
  const one = question();
  act(() => void shown.ask(one.work));
  act(() => render(null, place));
  expect(one.gone()).toBe(true);
});

it("keeps the error until the next question", async () => {
  act(() => render(<Form />, place));
  act(() => void shown.ask(() => Promise.reject(new Error("no"))));
  await settle();
  expect(shown.error).toBeInstanceOf(Error);
  act(() => shown.clear());
  expect(shown.error).toBeNull();
});
