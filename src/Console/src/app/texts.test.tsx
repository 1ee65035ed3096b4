import { render } from "preact";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { drawn, watchTexts } from "./texts.ts";

const place = document.createElement("div");
document.body.append(place);

beforeAll(watchTexts);
afterEach(() => render(null, place));

describe("drawn", () => {
  it.each([
    ["valve\u202Eneddih", "valve\\u202Eneddih"],
    ["nul\u0000 esc\u001b[2J", "nul\\u0000 esc\\u001B[2J"],
    ["a\u2028b\u2066c\ufeff", "a\\u2028b\\u2066c\\uFEFF"],
    ["half\ud83d", "half\\uD83D"],
    ["tag\u{e0041}", "tag\\uDB40\\uDC41"],
  ])("spells out what hides: %j", (text, shown) => expect(drawn(text)).toBe(shown));

  it.each([
    "two\nlines\tand a tab",
    "<b>x</b> äöü 日本 🏭 👨‍👩‍👧",
    "1\u202f234,5",
    new Intl.DateTimeFormat("ar-EG", { dateStyle: "medium", timeStyle: "medium" }).format(new Date(0)),
  ])("leaves %j as it is", (text) => expect(drawn(text)).toBe(text));

  it("cuts a text without an end, once", () => {
    const cut = drawn("v".repeat(200_000));
    expect(cut.length).toBeLessThan(4_100);
    expect(cut).toContain("it has 200000 characters");
    expect(drawn(cut)).toBe(cut);
  });
});

describe("a page", () => {
  const hostile = "<img src=x onerror=alert(1)>\u202E";
  const shown = "<img src=x onerror=alert(1)>\\u202E";

  it("draws every text so, and keeps what a field holds", () => {
    const List = ({ children }: { children: unknown[] }) => <ul>{children as never}</ul>;
    render(
      <section aria-label={hostile}>
        <span>{hostile}</span>
        <>
          {hostile}
          {hostile}
        </>
        <List>{[hostile, <li key="1">{hostile}</li>]}</List>
        <textarea value={hostile} readOnly />
      </section>,
      place,
    );
    expect(place.querySelector("img")).toBeNull();
    expect(place.querySelector("section")?.textContent).toBe(shown.repeat(5));
    expect(place.querySelector("section")?.getAttribute("aria-label")).toBe(shown);
    expect(place.querySelector("textarea")?.value).toBe(hostile);
  });
});
