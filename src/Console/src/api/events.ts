/** A Server-Sent Event with data. */
export interface StreamEvent {
  event: string;
  data: string;
}

/** Reads Server-Sent Events from pieces of text as they come, wherever they were cut. Source: HTML §9.2.6. */
export class EventParser {
  private rest = "";
  private event = "";
  private data: string[] = [];

  take(piece: string): StreamEvent[] {
    const found: StreamEvent[] = [];
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    for (const raw of lines) {
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (line === "") this.end(found);
      else this.field(line);
    }
    return found;
  }

  private end(found: StreamEvent[]): void {
    if (this.data.length > 0) found.push({ event: this.event || "message", data: this.data.join("\n") });
    this.event = "";
    this.data = [];
  }

  private field(line: string): void {
    const colon = line.indexOf(":");
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") this.data.push(value);
    else if (name === "event") this.event = value;
  }
}
