/** The answers of the API that the console reads; docs/rest-operators.md describes them. */

export type Permission =
  | "readState"
  | "readClients"
  | "readIdentities"
  | "endClients"
  | "readConfiguration"
  | "manageConfiguration"
  | "manageCertificates"
  | "testUpstreams"
  | "answerAlarms";

export interface Me {
  name: string;
  kind: string;
  roles: string[];
  permissions: Permission[];
  canWrite: boolean;
  canCall: boolean;
  door: string;
  address: string;
  expiresAt?: string;
  demo: boolean;
}

export interface Sample {
  sequence: number;
  at: string;
  sessions: number;
  connections: number;
  httpConnections: number;
  subscriptions: number;
  monitoredItems: number;
  notificationsPerSecond: number;
  messagesPerSecond: number;
  requestsPerSecond: number;
  rejectionsPerSecond: number;
  latenessMs: number;
  cpuPercent: number;
  memoryBytes: number;
}

export interface Overview {
  sequence: number;
  intervalMs: number;
  samples: Sample[];
}

export type Severity = "warning" | "fault";

export interface Notice {
  id: string;
  kind: string;
  severity: Severity;
  since: string;
  subject: string;
  words: string;
  remedy?: string;
}

export interface NoticeChange {
  at: string;
  change: "began" | "changed" | "ended";
  kind: string;
  severity: Severity;
  subject: string;
  words: string;
}

export interface Notices {
  active: Notice[];
  recent: NoticeChange[];
}

export interface Upstream {
  name: string;
  /** `opcua`, `modbus`. */
  driver: string;
  endpointUrl: string;
  state: string;
  since: string;
  securityPolicy?: string;
  securityMode: string;
  insecure: boolean;
  insecureReason?: string;
  lastError?: string;
  lastErrorAt?: string;
  remedy?: string;
  nodes: number;
  namespaces: number;
  counts: {
    connects: number;
    connectFailures: number;
    notifications: number;
    lostMessages: number;
    resumed: number;
    transferred: number;
    recoveredMessages: number;
    events: number;
    refusedEvents: number;
    conditions: number;
    gaps: number;
    circuitBreaks: number;
    monitoredItems: number;
    cyclicItems: number;
  };
  /** Its load budget, and how much of it the upstream gets; absent for drivers without one. */
  load?: {
    profile: string;
    maxConcurrentRequests: number;
    concurrency: number;
    pace: number;
    waiting: number;
    lastCut?: string;
    lastCutAt?: string;
    refused: Record<string, number>;
    lastRefusal?: string;
    lastRefusalAt?: string;
  };
  /** The servers behind it; absent where there is one alone. */
  redundancy?: {
    support?: string;
    failovers: number;
    servers: {
      endpointUrl: string;
      state: string;
      serviceLevel?: number;
      /** That sample along, to take over without a gap. */
      standbyItems?: number;
      lastError?: string;
    }[];
  };
  /** How its model differs from the accepted one; absent where it does not. */
  drift?: {
    since: string;
    words: string;
    dangerous: boolean;
    counts: Record<string, number>;
    changes: { kind: string; node: string; was: string; is?: string }[];
  };
  /** Of its last answers; absent before the first. */
  latency?: { lastMs: number; meanMs: number; worstMs: number; requests: number };
  bounds: { bound: string; limit: string; count: number }[];
}

export interface Info {
  product: string;
  version: string;
  applicationName: string;
  applicationUri: string;
  startTime: string;
  runtime: string;
  operatingSystem: string;
  processors: number;
  demo: boolean;
  namespaces: string[];
  endpoints: {
    url: string;
    transportProfile: string;
    securityPolicy: string;
    securityMode: string;
    userTokens: string[];
  }[];
}

export interface LimitOf {
  name: string;
  value?: number | string;
}

export interface Flow {
  seconds: number;
  admitted: number;
  queued: number;
  refused: number;
  refusals: { reason: string; count: number; limit?: LimitOf }[];
}

export interface Stage {
  stage: string;
  limit?: LimitOf;
  inUse: number;
  waiting: number;
  lastMinute: Flow;
  lastFiveMinutes: Flow;
}

export interface Admission {
  at: string;
  enabled: boolean;
  handshakes: { window: number; underWay: number; ratePerSecond: number; concurrencyShare: number };
  stages: Stage[];
  busiest: { certificates: BusyCertificate[]; addresses: BusyAddress[] };
  advice: { stage?: string; limit?: string; text: string }[];
}

export interface BusyCertificate {
  thumbprint: string;
  subject?: string;
  applicationUri?: string;
  address?: string;
  channels: number;
  attemptsLastMinute?: number;
  attemptsLastFiveMinutes?: number;
  refusalsLastFiveMinutes?: number;
}

export interface BusyAddress {
  address: string;
  connections: number;
  httpConnections?: number;
  attemptsLastMinute?: number;
  attemptsLastFiveMinutes?: number;
  refusalsLastFiveMinutes?: number;
  verifiedCertificates?: number;
  falseClaims?: number;
}

export interface Rejection {
  at: string;
  stage: string;
  reason: string;
  status: string;
  retryAfterMs?: number;
  address: string;
  thumbprint?: string;
  subject?: string;
  user?: string;
  detail?: string;
  limit?: LimitOf;
  advice?: string;
}

export interface Rejections {
  total: number;
  decisions: Rejection[];
}

export interface Session {
  id: string;
  name?: string;
  applicationName?: string;
  applicationUri?: string;
  state: string;
  user?: string;
  certificate?: string;
  subject?: string;
  door: string;
  address?: string;
  channelId?: number;
  securityPolicy?: string;
  securityMode?: string;
  since: string;
  lastActivity?: string;
  timeoutMs?: number;
  subscriptions: number;
  monitoredItems: number;
  queueCapacity: number;
  queueOverflows: number;
  publishRequests: number;
  pendingRequests: number;
  requests: number;
  failedRequests: number;
  notifications: number;
  lateSubscriptions: number;
  lateCycles: number;
  why?: string[];
}

/** What sessions may have in common. */
export type GroupBy = "user" | "address" | "application" | "certificate";

export interface ClientGroup {
  /** Absent: they have none. */
  key?: string;
  subject?: string;
  sessions: number;
  waiting: number;
  subscriptions: number;
  monitoredItems: number;
  queueCapacity: number;
  queueOverflows: number;
  notifications: number;
  notificationsPerSecond?: number;
  lateSubscriptions: number;
  lateCycles: number;
  since: string;
}

export interface Connection {
  id: string;
  door: string;
  address?: string;
  state: string;
  since: string;
  lastActivity?: string;
  channelId?: number;
  securityPolicy?: string;
  securityMode?: string;
  certificate?: string;
  subject?: string;
  endpointUrl?: string;
  sessions?: number;
  heldBytes?: number;
  why?: string[];
}

export interface Subscription {
  id: number;
  kind: string;
  state: string;
  sessionId?: string;
  user?: string;
  certificate?: string;
  address?: string;
  applicationUri?: string;
  publishingIntervalMs: number;
  publishingEnabled?: boolean;
  priority?: number;
  maxKeepAliveCount?: number;
  maxLifetimeCount?: number;
  monitoredItems: number;
  queueCapacity: number;
  queueOverflows: number;
  discarded?: number;
  notifications: number;
  lateCycles?: number;
  unacknowledged?: number;
}

export type Store = "own" | "rejected" | "trusted" | "issuer" | "trustedUser" | "issuerUser";

export interface Certificate {
  thumbprint: string;
  store: Store;
  file: string;
  subject: string;
  issuer: string;
  applicationUri?: string;
  authority: boolean;
  notBefore: string;
  notAfter: string;
  expiresInDays: number;
  reason?: string;
  role?: string;
  address?: string;
  /** The upstream that showed it. */
  upstream?: string;
  rejectedAt?: string;
  firstRejectedAt?: string;
  rejections?: number;
}

export interface Limit {
  name: string;
  inForce: number | string;
  configured: number | string;
  default: number | string;
  origin: string;
  use?: number;
  part: string;
  bounds?: string;
  whenItActs?: string;
  remedy?: string;
}

export interface ConfigurationValue {
  key: string;
  value?: string;
  secret?: boolean;
  origin: string;
  source?: string;
  /** A running gateway does not take another value. */
  restart?: boolean;
  /** The file has another value, which the next start takes. */
  pending?: boolean;
  next?: string;
  /** The last reload has changed it. */
  changed?: boolean;
  before?: string;
}

export interface WhatIf {
  limit: string;
  value: number;
  inForce?: number;
  known: boolean;
  from?: string;
  to?: string;
  refused?: number;
  wouldHaveBeenLetIn?: number;
  words: string;
}

export interface RevocationList {
  id: string;
  store: string;
  file: string;
  issuer: string;
  thisUpdate?: string;
  nextUpdate?: string;
  revoked: number;
}

export interface ConfigurationFault {
  key?: string;
  problem: string;
}

export interface ConfigurationChange {
  key: string;
  from?: string;
  to?: string;
  secret?: boolean;
  restart?: boolean;
}

export interface ConfigurationVerdict {
  ok: boolean;
  restart: boolean;
  errors: ConfigurationFault[];
  warnings: string[];
  changes: ConfigurationChange[];
}

export interface ConfigurationReload {
  at: string;
  by: string;
  applied: boolean;
  restart: boolean;
  errors: ConfigurationFault[];
  warnings: string[];
  changes: ConfigurationChange[];
  faults?: ConfigurationFault[];
}

export type HopState = "ok" | "warning" | "fault" | "none";

export interface Hop {
  hop: string;
  title: string;
  state: HopState;
  words: string;
  remedy?: string;
  ageMs?: number;
  since?: string;
  /** The first one at fault. */
  first?: boolean;
  facts?: Record<string, string | number | boolean>;
}

export interface Trace {
  node: string;
  displayName?: string;
  nodeClass?: string;
  at: string;
  state: HopState;
  faultHop?: string;
  hops: Hop[];
}

export interface TestStep {
  step: string;
  state: "ok" | "fault" | "skipped";
  words: string;
  remedy?: string;
  ms?: number;
}

/** An alarm as it is now, or as one of its events told it. */
export interface Alarm {
  alarm: string;
  eventId: string;
  branch?: string;
  name: string;
  source: string;
  time: string;
  severity: number;
  message: string;
  active: boolean;
  since?: string;
  acknowledged: boolean;
  confirmed: boolean;
  retain: boolean;
  enabled: boolean;
  suppressed: boolean;
  outOfService: boolean;
  shelving: string;
  /** Of the data behind it, where it is not Good. */
  quality?: string;
  comment?: string;
  user?: string;
}

export interface Alarms {
  /** Of interest; active has the most severe of them. */
  total: number;
  active: Alarm[];
  recent: Alarm[];
}

export interface ConnectionTest {
  ok: boolean;
  steps: TestStep[];
}

export interface PubSubStore {
  storedBytes: number;
  maxBytes: number;
  messages: number;
  oldestTime?: string;
  messagesInPerSecond: number;
  messagesOutPerSecond: number;
  untilFullSeconds?: number;
  appended: number;
  acknowledged: number;
  lost: number;
  lastError?: string;
}

export interface PubSubGap {
  reason: string;
  from: number;
  to: number;
  count: number;
  firstTime: string;
  lastTime: string;
}

export interface PubSubGroup {
  name: string;
  state: string;
  detail?: string;
  encoding: string;
  publishingIntervalMs: number;
  messages: number;
  bytes: number;
  values: number;
  lost: number;
  tooLarge: number;
  skipped: number;
  writers: { name: string; dataSetWriterId: number; dataSet: string; messages: number; topic?: string }[];
}

export interface PubSubConnection {
  name: string;
  address: string;
  state: string;
  detail?: string;
  /** Of a broker. */
  connects?: number;
  discarded: number;
  store?: PubSubStore;
  gaps: PubSubGap[];
  groups: PubSubGroup[];
}

export interface PubSubReaderConnection {
  name: string;
  address: string;
  state: string;
  detail?: string;
  connects?: number;
  messages: number;
  strangers?: number;
}

export interface PubSubReader {
  connection: string;
  group: string;
  name: string;
  publisherId: string;
  state: string;
  lastMessageAt?: string;
  fields: number;
  messages: number;
  values: number;
  gaps: number;
  /** Why messages were not taken, each with how often. */
  problems?: Record<string, number>;
}

export interface PubSub {
  configured: boolean;
  detail?: string;
  publisherId?: string;
  connections: PubSubConnection[];
  dataSets: { name: string; fields: number; missing: number; refused: number }[];
  readerConnections?: PubSubReaderConnection[];
  readers?: PubSubReader[];
}

export interface Node {
  node: string;
  nodeClass: string;
  browseName: string;
  displayName: string;
  description?: string;
  typeDefinition?: string;
  dataType?: string;
  valueRank?: number;
  access: string[];
  path?: string;
}

export interface NodeList {
  nodes: Node[];
  next?: string;
  complete?: boolean;
}

export interface Value {
  node: string;
  value?: unknown;
  type?: string;
  status: string;
  sourceTimestamp?: string;
  serverTimestamp?: string;
}
