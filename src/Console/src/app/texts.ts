import { options, type VNode } from "preact";

/** More of one text nobody reads, and a browser draws a megabyte for seconds. */
const MOST = 4_000;

/** Room for the remark behind a cut text, so that it is not cut again when it is drawn again. */
const REMARK = 100;

/** Control characters, marks that turn the direction of what follows or are not seen, line separators and halves of
 * characters. Not the marks that dates of right-to-left languages have, and joiners that scripts need. */
const HIDDEN = /(?![\t\n\r\u00ad\u061c\u200c-\u200f])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Attributes that are shown or read aloud. */
const SHOWN = ["aria-label", "title", "placeholder"];

/** A text as it is drawn: what would hide or turn a part of it is spelled out, as the gateway's log does, and a text
 * without an end is cut. */
export function drawn(text: string): string {
  const cut = text.length > MOST + REMARK ? `${text.slice(0, MOST)} … (cut: it has ${text.length} characters)` : text;
  return cut.replace(HIDDEN, (sign) => {
    const units = Array.from({ length: sign.length }, (_, at) => sign.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).toUpperCase().padStart(4, "0")}`).join("");
  });
}

/** Every text of every page goes this way, whoever wrote it: a new page cannot forget it. What a field holds to be
 * copied or sent is its value, and stays as it is. Called once, before anything is drawn. */
export function watchTexts(): void {
  const before = options.vnode;
  options.vnode = (node: VNode) => {
    clean(node);
    before?.(node);
  };
}

function clean(node: VNode): void {
  const props = node.props as Record<string, unknown>;
  if (props.children !== undefined) props.children = cleaned(props.children);
  if (typeof node.type !== "string") return;
  for (const name of SHOWN) {
    const text = props[name];
    if (typeof text === "string") props[name] = drawn(text);
  }
}

function cleaned(children: unknown): unknown {
  if (typeof children === "string") return drawn(children);
  return Array.isArray(children) ? children.map(cleaned) : children;
}
