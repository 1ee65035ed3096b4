import { fetchAnswer } from "./client.ts";

/** A service of OPC UA over HTTP, in the Compact encoding. Source: Part 6 Annex G. */
export async function callService(name: string, request: unknown, signal: AbortSignal): Promise<unknown> {
  const answer = await fetchAnswer(`/opcua/${name}`, {
    method: "POST",
    body: JSON.stringify(request),
    headers: { "Content-Type": "application/json; encoding=compact" },
    signal,
  });
  return answer.json();
}
