import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/problem.ts";
import { Confirm } from "./Confirm.tsx";
import { Facts } from "./Facts.tsx";
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
});
