import type { Session } from "../../api/types.ts";
import { hostOf } from "./addresses.ts";

export type GroupBy = "user" | "address" | "application" | "certificate";

export interface Group {
  key: string;
  sessions: number;
  subscriptions: number;
  monitoredItems: number;
  notifications: number;
  queueOverflows: number;
  late: number;
}

const KEYS: Record<GroupBy, (session: Session) => string | undefined> = {
  user: (one) => one.user,
  address: (one) => (one.address ? hostOf(one.address) : undefined),
  application: (one) => one.applicationUri || one.applicationName,
  certificate: (one) => one.certificate,
};

/** What a session has in common with others. */
export function keyOf(session: Session, by: GroupBy): string {
  return KEYS[by](session) ?? "none";
}

/** The sums of the sessions that have something in common; most sessions first. */
export function groupsOf(sessions: Session[], by: GroupBy): Group[] {
  const groups = new Map<string, Group>();
  for (const one of sessions) {
    const key = keyOf(one, by);
    const group = groups.get(key) ?? empty(key);
    group.sessions++;
    group.subscriptions += one.subscriptions;
    group.monitoredItems += one.monitoredItems;
    group.notifications += one.notifications;
    group.queueOverflows += one.queueOverflows;
    group.late += one.lateSubscriptions;
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.sessions - a.sessions || a.key.localeCompare(b.key));
}

function empty(key: string): Group {
  return { key, sessions: 0, subscriptions: 0, monitoredItems: 0, notifications: 0, queueOverflows: 0, late: 0 };
}
