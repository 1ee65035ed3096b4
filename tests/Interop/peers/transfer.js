"use strict";
// TransferSubscriptions, GetMonitoredItems and ResendData between sessions of several users and applications.
const { opcua, args } = require("./lib/peer");
const { runCases, until, refusal, told } = require("./lib/raw");
const { visit } = require("./lib/visit");
const { DataType, MessageSecurityMode, SecurityPolicy } = opcua;

const GET_MONITORED_ITEMS = "i=11492";
const RESEND_DATA = "i=12873";
const SESSIONS = "i=3707";
const LIVES = { requestedPublishingInterval: 50, requestedLifetimeCount: 1000 };

const uint32 = (value) => ({ dataType: DataType.UInt32, value });

/** A subscription whose item has been reported and not acknowledged. */
async function reported(raw, value) {
  await raw.write("Int32", DataType.Int32, value);
  const subscription = await raw.subscribe(LIVES);
  const [item] = await raw.monitor(subscription, { node: "Int32", handle: 5 });
  const message = await raw.notified();
  return { ...subscription, item, message };
}

async function betweenSessions(sendInitialValues) {
  const [from, to] = [await visit("operator"), await visit("operator")];
  const subscription = await reported(from.raw, 11);
  const transferred = await to.raw.transfer(sendInitialValues, subscription.subscriptionId);
  const first = told(await to.raw.drain());
  const farewell = await from.raw.publish();
  const afterwards = await refusal(from.raw.publish());
  await to.raw.write("Int32", DataType.Int32, 12);
  const changed = told((await to.raw.notified()).values);
  await from.leave();
  await to.leave();
  return {
    transferred, first, farewell: farewell.statusChange, own: farewell.subscriptionId === subscription.subscriptionId,
    afterwards, changed,
  };
}

/** The StatusCode of a transfer from one session to another, each [user, options of the client]. */
async function attempt(giver, taker) {
  const [from, to] = [await visit(...giver), await visit(...taker)];
  const { subscriptionId } = await reported(from.raw, 1);
  const [{ status }] = await to.raw.transfer(false, subscriptionId);
  await to.leave();
  await from.leave();
  return status;
}

runCases({
  withInitialValues: () => betweenSessions(true),
  withoutInitialValues: () => betweenSessions(false),

  async users() {
    const other = { ...args.other };
    const none = { securityMode: MessageSecurityMode.None, securityPolicy: SecurityPolicy.None };
    const signed = { securityMode: MessageSecurityMode.Sign };
    return {
      sameUserOtherApplication: await attempt(["operator"], ["operator", other]),
      otherUser: await attempt(["operator"], ["engineer"]),
      userToAnonymous: await attempt(["operator"], ["anonymous"]),
      anonymousToUser: await attempt(["anonymous"], ["operator"]),
      anonymousSameApplication: await attempt(["anonymous"], ["anonymous", signed]),
      anonymousOtherApplication: await attempt(["anonymous"], ["anonymous", other]),
      anonymousUnsigned: await attempt(["anonymous"], ["anonymous", none]),
      unsignedToAnonymous: await attempt(["anonymous", none], ["anonymous"]),
    };
  },

  async unknown(raw) {
    const { subscriptionId } = await reported(raw, 1);
    return {
      unknown: (await raw.transfer(true, 4000000000))[0].status,
      own: (await raw.transfer(true, subscriptionId))[0].status,
      nothing: await refusal(raw.transfer(true)),
    };
  },

  async connectionPulled(raw) {
    const from = await visit("operator", { requestedSessionTimeout: 6000 });
    const session = from.raw.session.sessionId.toString();
    const { subscriptionId, message } = await reported(from.raw, 21);
    await from.raw.write("Int32", DataType.Int32, 22);
    await from.vanish();
    await until(async () => !(await raw.read(SESSIONS)).value.value.some((one) => one.sessionId.toString() === session));
    const to = await visit("operator");
    const [{ status, available }] = await to.raw.transfer(false, subscriptionId);
    const again = await to.raw.republish({ subscriptionId }, message.sequenceNumber);
    const missed = told((await to.raw.notified()).values);
    await to.leave();
    return { status, kept: available.includes(message.sequenceNumber), again: told(again.values), missed };
  },

  async sessionClosed() {
    const from = await visit("operator");
    const { subscriptionId } = await reported(from.raw, 31);
    await from.leave(false);
    const to = await visit("operator");
    const [{ status }] = await to.raw.transfer(true, subscriptionId);
    const values = told((await to.raw.notified()).values);
    await to.leave();
    return { status, values };
  },

  async methods(raw) {
    const { subscriptionId, item } = await reported(raw, 41);
    const stranger = await visit("operator");
    const id = uint32(subscriptionId);
    const found = await raw.call(GET_MONITORED_ITEMS, id);
    const before = await raw.drain();
    const resent = await raw.call(RESEND_DATA, id);
    const values = told((await raw.notified()).values);
    const result = {
      found: found.status, serverHandles: found.outputs[0], clientHandles: found.outputs[1], itemId: item.itemId,
      before, resent: resent.status, values,
      strangerFinds: (await stranger.raw.call(GET_MONITORED_ITEMS, id)).status,
      strangerResends: (await stranger.raw.call(RESEND_DATA, id)).status,
      unknown: (await raw.call(GET_MONITORED_ITEMS, uint32(4000000000))).status,
    };
    await stranger.leave();
    return result;
  },
});
