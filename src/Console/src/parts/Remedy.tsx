import { can } from "../api/session.ts";
import { Words } from "./Words.tsx";

/** What to do; where a certificate waits to be trusted, also the way to its button. */
export function Remedy({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <p class="small">
      <strong>What to do:</strong> <Words text={text} />
      {text.includes("rejected/certs") && can("manageCertificates") && (
        <>
          {" "}
          <a href="/certificates#rejected">Look at the rejected certificates</a>
        </>
      )}
    </p>
  );
}
