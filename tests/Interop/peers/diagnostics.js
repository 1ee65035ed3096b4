"use strict";
// The nodes below ServerDiagnostics, read and monitored by users of each kind.
const { opcua } = require("./lib/peer");
const { runCases, refusal } = require("./lib/raw");
const { visit } = require("./lib/visit");
const { DataType } = opcua;

const SUMMARY = "i=2275";
const CURRENT_SESSIONS = "i=2277";
const SUBSCRIPTIONS = "i=2290";
const ENABLED = "i=2294";
const SESSIONS = "i=3707";
const SECURITY = "i=3708";

const valueOf = async (raw, node) => (await raw.read(node)).value.value;

const statusOf = async (raw, node) => (await raw.read(node)).statusCode.name;

const ofSession = (entries, raw) => entries.find((entry) => entry.sessionId.toString() === raw.session.sessionId.toString());

runCases({
  async session(raw) {
    const subscription = await raw.subscribe();
    await raw.monitor(subscription, { node: "Int32" }, { node: "Int16" });
    await raw.drain();
    for (const value of [1, 2, 3]) await raw.write("Int32", DataType.Int32, value);
    await refusal(raw.ask(new opcua.BrowseRequest({})));
    await refusal(raw.ask(new opcua.SetPublishingModeRequest({})));
    const mine = ofSession(await valueOf(raw, SESSIONS), raw);
    const counts = (name) => [mine[name].totalCount, mine[name].errorCount];
    return {
      uri: mine.clientDescription.applicationUri, items: mine.currentMonitoredItemsCount,
      subscriptions: mine.currentSubscriptionsCount, write: counts("writeCount"), browse: counts("browseCount"),
      setPublishingMode: counts("setPublishingModeCount"), createMonitoredItems: counts("createMonitoredItemsCount"),
      call: counts("callCount"), errors: mine.totalRequestCount.errorCount,
      publishes: mine.publishCount.totalCount >= 1,
    };
  },

  async subscriptions(raw) {
    const { subscriptionId } = await raw.subscribe({ priority: 7 });
    await raw.monitor({ subscriptionId }, { node: "Int32" });
    const { sequenceNumber } = await raw.notified();
    const one = (await valueOf(raw, SUBSCRIPTIONS)).find((entry) => entry.subscriptionId === subscriptionId);
    const summary = await valueOf(raw, SUMMARY);
    return {
      own: one.sessionId.toString() === raw.session.sessionId.toString(), priority: one.priority,
      interval: one.publishingInterval, items: one.monitoredItemCount, notifications: one.notificationsCount,
      unacknowledged: one.unacknowledgedMessageCount, next: one.nextSequenceNumber - sequenceNumber,
      current: summary.currentSubscriptionCount >= 1, intervals: summary.publishingIntervalCount >= 1,
      sessions: summary.currentSessionCount >= 1 && summary.cumulatedSessionCount >= summary.currentSessionCount,
    };
  },

  async security(raw) {
    const admin = await visit("admin");
    const entries = await valueOf(admin.raw, SECURITY);
    const mine = ofSession(entries, raw);
    const own = ofSession(entries, admin.raw);
    const unsigned = await visit("admin", { securityMode: opcua.MessageSecurityMode.Sign });
    const result = {
      anonymous: mine.authenticationMechanism, user: own.clientUserIdOfSession, encoding: own.encoding,
      transport: own.transportProtocol, mode: opcua.MessageSecurityMode[own.securityMode],
      certificate: own.clientCertificate.length > 500,
      others: await statusOf(raw, SECURITY), withoutEncryption: await statusOf(unsigned.raw, SECURITY),
    };
    await unsigned.leave();
    await admin.leave();
    return result;
  },

  async enabledFlag(raw) {
    const engineer = await visit("engineer");
    const denied = await raw.write(ENABLED, DataType.Boolean, false);
    const off = await engineer.raw.write(ENABLED, DataType.Boolean, false);
    const statuses = [];
    for (const node of [SUMMARY, CURRENT_SESSIONS, SUBSCRIPTIONS, SESSIONS]) statuses.push(await statusOf(raw, node));
    const flag = await valueOf(raw, ENABLED);
    const on = await engineer.raw.write(ENABLED, DataType.Boolean, true);
    const result = { denied, off, statuses, flag, on, again: await statusOf(raw, SESSIONS) };
    await engineer.leave();
    return result;
  },

  async monitored(raw) {
    const subscription = await raw.subscribe();
    await raw.monitor(subscription,
      { node: CURRENT_SESSIONS, handle: 1, sampling: 100 }, { node: SESSIONS, handle: 2, sampling: 100 });
    const before = {};
    while (!before[1] || !before[2])
      for (const one of (await raw.notified()).values) if (one.status === "Good") before[one.handle] = one;
    const guest = await visit("operator");
    let after = before[1];
    while (after.value !== before[1].value + 1)
      after = (await raw.notified()).values.find((one) => one.handle === 1) || after;
    await guest.leave();
    return { more: after.value - before[1].value, entries: before[2].value.length === before[1].value };
  },
});
