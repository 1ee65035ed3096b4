import { useState } from "preact/hooks";
import { send } from "../../api/client.ts";
import { usePolled } from "../../api/polled.ts";
import type { Limit, Session } from "../../api/types.ts";
import { amount } from "../../format/numbers.ts";
import { full, since, span } from "../../format/times.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { Dialog } from "../../parts/Dialog.tsx";
import { Facts } from "../../parts/Facts.tsx";
import { Note } from "../../parts/State.tsx";
import { tell } from "../../parts/toast.ts";
import { Use } from "../../parts/Use.tsx";
import { EndActions } from "./EndActions.tsx";
import { RejectionsOf } from "./RejectionsOf.tsx";
import { SessionState } from "./Sessions.tsx";

interface Props {
  session: Session;
  rate: number | null;
  onClose: () => void;
  onEnded: () => void;
}

/** All that is known of a session: what it does, why it is slow, what it was refused, what its limits are. */
export function SessionDialog({ session, rate, onClose, onEnded }: Props) {
  const [isEnding, setEnding] = useState(false);
  const name = session.name || session.applicationName || session.id;
  if (isEnding)
    return (
      <Confirm
        title="End this session?"
        action="End the session"
        isDangerous
        onClose={() => setEnding(false)}
        run={async () => {
          await send("DELETE", `/sessions/${session.id}`);
          tell(`The session ${name} has ended.`);
          onEnded();
        }}
      >
        <Facts
          of={[
            ["Session", name],
            ["Application", session.applicationUri],
            ["Address", session.address],
          ]}
        />
        <p>
          Its {amount(session.subscriptions)} subscriptions end too. Most clients come back at once: to keep one out,
          reject its certificate.
        </p>
      </Confirm>
    );
  return (
    <Dialog title={name} onClose={onClose}>
      <div class="row">
        <SessionState session={session} />
        <span class="muted">
          {session.door} from {session.address ?? "nowhere"} for {since(session.since)}
        </span>
      </div>
      {session.why?.map((reason) => (
        <Note key={reason} kind="warning">
          {sentence(reason)}
        </Note>
      ))}
      <Facts of={factsOf(session, rate)} />
      <Limits session={session} />
      <RejectionsOf address={session.address} certificate={session.certificate} />
      <EndActions what="session" onEnd={() => setEnding(true)} onClose={onClose} />
    </Dialog>
  );
}

function factsOf(session: Session, rate: number | null): [string, string | undefined][] {
  return [
    ["Application", session.applicationName],
    ["Application URI", session.applicationUri],
    ["User", session.user],
    ["Certificate", session.subject],
    ["Thumbprint", session.certificate],
    ["Security", [session.securityMode, session.securityPolicy?.split("#").at(-1)].filter(Boolean).join(", ")],
    ["Since", full(session.since)],
    ["Last activity", `${since(session.lastActivity)} ago`],
    ["Time-out", session.timeoutMs === undefined ? undefined : span(session.timeoutMs)],
    ["Subscriptions", `${amount(session.subscriptions)}, ${amount(session.lateSubscriptions)} of them late now`],
    ["Notifications", `${amount(session.notifications)}, ${amount(rate)} a second now`],
    ["Values lost by full queues", amount(session.queueOverflows)],
    ["Late cycles", amount(session.lateCycles)],
    ["Requests", `${amount(session.requests)}, ${amount(session.failedRequests)} of them failed`],
    ["SessionId", session.id],
  ];
}

interface LimitRow {
  name: string;
  title: string;
  use: (session: Session) => number;
}

const LIMITS: LimitRow[] = [
  { name: "MaxSubscriptionsPerSession", title: "Subscriptions", use: (one) => one.subscriptions },
  { name: "MaxMonitoredItemsPerSession", title: "Monitored items", use: (one) => one.monitoredItems },
  { name: "MaxQueuedValuesPerSession", title: "Places in queues", use: (one) => one.queueCapacity },
  { name: "MaxPublishRequestsPerSession", title: "Publish requests", use: (one) => one.publishRequests },
  { name: "MaxPendingRequestsPerSession", title: "Waiting requests", use: (one) => one.pendingRequests },
];

/** How much of its own limits a session uses. */
function Limits({ session }: { session: Session }) {
  const limits = usePolled<{ limits: Limit[] }>("/limits?limit=1000&fields=name,inForce", 60_000);
  const most = new Map(limits.data?.limits.map((one) => [one.name, Number(one.inForce)]));
  const rows = LIMITS.filter((row) => most.has(row.name));
  if (rows.length === 0) return null;
  return (
    <>
      <h3>Its limits</h3>
      <Facts
        of={rows.map((row) => [row.title, <Use key="use" use={row.use(session)} most={most.get(row.name) ?? 0} />])}
      />
    </>
  );
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
