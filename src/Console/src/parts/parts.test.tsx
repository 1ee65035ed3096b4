import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/problem.ts";
import { Confirm } from "./Confirm.tsx";
import { plainTextOf, textOf } from "./encode.ts";
import { Facts } from "./Facts.tsx";
import { Tabs } from "./Tabs.tsx";
import { toasts } from "./toast.ts";
import { Words } from "./Words.tsx";

const place = document.createElement("div");
document.body.append(place);

afterEach(() => render(null, place));

const HOSTILE = "<img src=x onerror=alert(1)>";

function button(text: string): HTMLButtonElement {
  const found = [...place.querySelectorAll("button")].find((one) => one.textContent === text);
  if (!found) throw new Error(`there is no button ${text}`);
  return found;
}

describe("text of others", () => {
  it("is text", () => {
    render(
      <div>
        <Facts of={[[HOSTILE, HOSTILE]]} />
        <Words text={`say \`${HOSTILE}\``} />
      </div>,
      place,
    );
    expect(place.querySelector("img")).toBeNull();
    expect(place.textContent).toContain(HOSTILE);
  });
});

describe("Confirm", () => {
  it("closes when it is done, and stays with the reason when it is refused", async () => {
    const close = vi.fn();
    const run = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new ApiError({ title: "Not now", status: 409 }));
    run.mockResolvedValueOnce(undefined);
    act(() =>
      render(
        <Confirm title="Sure?" action="Do it" run={run} onClose={close}>
          what
        </Confirm>,
        place,
      ),
    );
    await act(async () => button("Do it").click());
    expect(place.textContent).toContain("Not now.");
    expect(close).not.toHaveBeenCalled();
    await act(async () => button("Do it").click());
    expect(run).toHaveBeenCalledTimes(2);
    expect(close).toHaveBeenCalledOnce();
  });

  it("that was closed before its answer leaves the next one alone, and the failure is told all the same", async () => {
    const close = vi.fn();
    let refuse: (error: unknown) => void = () => {};
    const run = () => new Promise<void>((_, reject) => (refuse = reject));
    act(() =>
      render(
        <Confirm title="Sure?" action="Do it" run={run} onClose={close}>
          what
        </Confirm>,
        place,
      ),
    );
    act(() => button("Do it").click());
    act(() => render(null, place));
    refuse(new ApiError({ title: "Not now", status: 409 }));
    await act(async () => void (await Promise.resolve()));
    expect(close).not.toHaveBeenCalled();
    expect(toasts.value.at(-1)).toMatchObject({ kind: "fault", text: "Sure? Not now." });
  });
});

describe("Tabs", () => {
  const tabs = ["one", "two", "three"].map((id) => ({ id, title: id, show: () => <p>of {id}</p> }));
  const press = (key: string) =>
    act(() => {
      place.querySelector("[role=tablist]")?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    });

  it("go by keys and by links within the page", () => {
    act(() => render(<Tabs label="all" tabs={tabs} />, place));
    press("ArrowLeft");
    expect(place.textContent).toContain("of three");
    press("Home");
    expect(place.textContent).toContain("of one");
    location.hash = "#two";
    act(() => void dispatchEvent(new Event("hashchange")));
    expect(place.textContent).toContain("of two");
    location.hash = "#content";
    act(() => void dispatchEvent(new Event("hashchange")));
    expect(place.textContent).toContain("of two");
  });
});

describe("a file", () => {
  it("that is too large or no text says so", async () => {
    const large = new Blob([new Uint8Array(1_048_577)]);
    await expect(textOf(large)).rejects.toThrow("larger than 1 MiB");
    await expect(plainTextOf(new Blob([new Uint8Array([0xff, 0xfe])]))).rejects.toThrow("UTF-8");
    expect(await plainTextOf(new Blob(["{}"]))).toBe("{}");
  });
});
