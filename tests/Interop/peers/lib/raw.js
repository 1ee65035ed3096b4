"use strict";
// The subscription services one request at a time: what node-opcua's own subscriptions do not show.
const { opcua, run, describe, createClient, namespaceIndex } = require("./peer");
const { AttributeIds, MonitoringMode, TimestampsToReturn } = opcua;

const OVERFLOW = 0x480; // InfoType DataValue, InfoBit Overflow

// Ends a case that hangs; a slow machine is no fault.
const CASE_MS = 120_000;

/** Looks now and then until it holds. */
async function until(holds) {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** The StatusCode's name of what a service was refused with; "Good" where it was not. */
const refusal = (promise) => promise.then(() => "Good", (error) => describe(error).status || String(error));

const names = (statuses) => (statuses || []).map((status) => status.name);

class Raw {
  constructor(session, ns) {
    Object.assign(this, { session, ns });
  }

  /** A string is the identifier of a variable of the simulator. */
  id(node) {
    return typeof node === "string" ? opcua.coerceNodeId(/=/.test(node) ? node : `ns=${this.ns};s=${node}`) : node;
  }

  ask(request) {
    const answer = new Promise((resolve, reject) => this.session.performMessageTransaction(request, (error, response) =>
      (error ? reject(error) : resolve(response))));
    answer.catch(() => {}); // some are never awaited: they end with their session
    return answer;
  }

  async read(node, attributeId = AttributeIds.Value) {
    return this.session.read({ nodeId: this.id(node), attributeId });
  }

  /** All values in one request, one after the other. */
  async write(node, dataType, ...values) {
    return values.length === 0 ? [] : names(await this.session.write(values.map((value) => ({
      nodeId: this.id(node), attributeId: AttributeIds.Value,
      value: { value: { dataType, value, arrayType: Array.isArray(value) ? "Array" : "Scalar" } },
    }))));
  }

  async subscribe(options) {
    return this.ask(new opcua.CreateSubscriptionRequest({
      requestedPublishingInterval: 50, requestedLifetimeCount: 1000, requestedMaxKeepAliveCount: 2,
      maxNotificationsPerPublish: 0, publishingEnabled: true, priority: 0, ...options,
    }));
  }

  /** items: { node, handle, attributeId, mode, sampling, queue, discardOldest, filter, range }. */
  async monitor({ subscriptionId }, ...items) {
    const response = await this.ask(new opcua.CreateMonitoredItemsRequest({
      subscriptionId, timestampsToReturn: TimestampsToReturn.Both,
      itemsToCreate: items.map((item) => ({
        itemToMonitor: {
          nodeId: this.id(item.node), attributeId: item.attributeId || AttributeIds.Value, indexRange: rangeOf(item),
        },
        monitoringMode: item.mode === undefined ? MonitoringMode.Reporting : item.mode,
        requestedParameters: parametersOf(item),
      })),
    }));
    return response.results.map((result) => ({
      itemId: result.monitoredItemId, status: result.statusCode.name,
      sampling: result.revisedSamplingInterval, queue: result.revisedQueueSize,
    }));
  }

  async modify({ subscriptionId }, ...items) {
    const response = await this.ask(new opcua.ModifyMonitoredItemsRequest({
      subscriptionId, timestampsToReturn: TimestampsToReturn.Both,
      itemsToModify: items.map((item) => ({
        monitoredItemId: item.itemId, requestedParameters: parametersOf(item),
      })),
    }));
    return response.results.map((result) => ({
      status: result.statusCode.name, sampling: result.revisedSamplingInterval, queue: result.revisedQueueSize,
    }));
  }

  async setMode({ subscriptionId }, monitoringMode, ...items) {
    const response = await this.ask(new opcua.SetMonitoringModeRequest({
      subscriptionId, monitoringMode, monitoredItemIds: items.map((item) => item.itemId),
    }));
    return names(response.results);
  }

  /** acknowledgements: [{ subscriptionId, sequenceNumber }]. */
  async publish(...acknowledgements) {
    const response = await this.ask(new opcua.PublishRequest({ subscriptionAcknowledgements: acknowledgements }));
    return {
      subscriptionId: response.subscriptionId, more: response.moreNotifications,
      available: [...(response.availableSequenceNumbers || [])], results: names(response.results),
      ...messageOf(response.notificationMessage),
    };
  }

  /** The next message that is no keep-alive. */
  async notified(...acknowledgements) {
    for (;;) {
      const message = await this.publish(...acknowledgements);
      if (!message.keepAlive) return message;
    }
  }

  async republish({ subscriptionId }, retransmitSequenceNumber) {
    const response = await this.ask(new opcua.RepublishRequest({ subscriptionId, retransmitSequenceNumber }));
    return messageOf(response.notificationMessage);
  }

  async transfer(sendInitialValues, ...subscriptionIds) {
    const response = await this.ask(new opcua.TransferSubscriptionsRequest({ subscriptionIds, sendInitialValues }));
    return response.results.map((result) => ({
      status: result.statusCode.name, available: [...(result.availableSequenceNumbers || [])],
    }));
  }

  /** A method of the Server object. */
  async call(methodId, ...inputArguments) {
    const result = await this.session.call({ objectId: "i=2253", methodId, inputArguments });
    return { status: result.statusCode.name, outputs: (result.outputArguments || []).map((one) => plainOf(one.value)) };
  }

  /**
   * Publish after Publish until nothing was said for two keep-alives: the first may be older than a write that was just
   * answered. Returns all values.
   */
  async drain() {
    const values = [];
    for (let quiet = 0; quiet < 2;) {
      const message = await this.publish();
      quiet = message.keepAlive ? quiet + 1 : 0;
      if (!message.keepAlive) values.push(...message.values);
    }
    return values;
  }
}

const rangeOf = ({ range }) => (range ? new opcua.NumericRange(range) : undefined);

function parametersOf({ handle = 1, sampling = 0, queue = 10, discardOldest = true, filter = null }) {
  return { clientHandle: handle, samplingInterval: sampling, queueSize: queue, discardOldest, filter };
}

function messageOf({ sequenceNumber, notificationData }) {
  const values = [];
  let statusChange = null;
  for (const data of notificationData || []) {
    if (data instanceof opcua.StatusChangeNotification) statusChange = data.status.name;
    for (const { clientHandle, value } of data.monitoredItems || [])
      values.push({
        handle: clientHandle, value: plainOf(value.value.value), status: value.statusCode.name,
        overflow: (value.statusCode.value & OVERFLOW) === OVERFLOW,
      });
  }
  return { sequenceNumber, values, statusChange, keepAlive: !notificationData || notificationData.length === 0 };
}

/** Values as a test reads them: "<client handle>: <value>", the status where it is not Good, and the overflow bit. */
const told = (values) => values.map(({ handle, value, status, overflow }) =>
  `${handle}: ${value}${/^Good/.test(status) ? "" : " " + status}${overflow ? " overflow" : ""}`);

function plainOf(value) {
  if (ArrayBuffer.isView(value)) return [...value];
  return value && typeof value === "object" && !Array.isArray(value) ? value.text || value.name || value.toString() : value;
}

/** Runs each case ({ name: async (raw) => result }) in a session of its own; an error is that case's result. */
function runCases(cases) {
  run(async ({ endpointUrl, namespaceUri, only }) => {
    const client = await createClient();
    await client.connect(endpointUrl);
    const results = {};
    for (const [name, body] of Object.entries(cases)) {
      if (only && only !== name) continue;
      const session = await client.createSession();
      results[name] = await limited(body(new Raw(session, await namespaceIndex(session, namespaceUri))))
        .catch((error) => ({ error: describe(error).text, stack: String(error.stack) }));
      await session.close().catch(() => {});
    }
    await client.disconnect();
    return results;
  });
}

function limited(result) {
  const late = new Promise((_resolve, reject) => setTimeout(reject, CASE_MS, new Error(`nothing after ${CASE_MS} ms`)).unref());
  return Promise.race([result, late]);
}

module.exports = { Raw, runCases, until, refusal, names, told };
