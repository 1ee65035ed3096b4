import type { Files } from "./files.ts";

/** The place of a change, and what happens when it is there: the console itself writes no file. */
export function Where({ of }: { of: Files }) {
  return (
    <p class="muted">
      {of.files.length > 0 ? (
        <>
          The configuration stands in{" "}
          {of.files.map((file, index) => (
            <span key={file}>
              {index > 0 && ", "}
              <code>{file}</code>
            </span>
          ))}
          .
        </>
      ) : (
        <>
          No file is configured yet: it is the <code>appsettings.json</code> in the folder where the gateway starts, or
          the one that <code>Config:Path</code> names.
        </>
      )}{" "}
      The console does not write it: whoever looks after the plant's files does, so that it stays under their control
      and their version history. The gateway takes the file over by itself within seconds after it has changed, and says
      on the page Configuration what came of it. In a container the same text is the content of <code>config</code> in
      the Helm values.
    </p>
  );
}
