/** The causes of rejections in words. The API spells them as the metrics do. A cause that is missing here is shown as
 * the API spells it. */
const CAUSES: Record<string, string> = {
  max_connections: "The gateway has as many connections as it may have",
  max_connections_per_address: "This address has as many connections as one may have",
  max_connections_per_certificate: "This certificate has as many connections as one may have",
  connection_rate: "Clients connect faster than the gateway takes connections",
  connection_rate_per_address: "This address connects faster than one may",
  no_descriptor: "The operating system gives the gateway no further file descriptor",
  queue_full: "As many clients wait for their handshake as may",
  waited_too_long: "It waited for its handshake as long as a client may",
  gave_up: "It hung up while it waited",
  displaced: "It made room for a client that goes first",
  recycled: "The gateway closed the oldest connection without a session to make room",
  silent: "It connected and said nothing",
  max_sessions: "The gateway has as many sessions as it may have",
  max_sessions_per_user: "This user has as many sessions as one may have",
  max_sessions_per_certificate: "This certificate has as many sessions as one may have",
  max_sessions_per_address: "This address has as many sessions as one may have",
  max_sessions_per_secure_channel: "This connection has as many sessions as one may have",
  pending_handshakes: "Too many handshakes of this connection are under way",
  locked_out: "Too many wrong passwords: tries of this user are slowed down",
  pending_requests: "Too many requests of this session wait",
  decode_memory: "Requests of all clients together needed too much memory at that moment",
  publish_requests: "The session sent more Publish requests than it may hold; the oldest was answered",
  request_rate_per_address: "This address sends requests over HTTP faster than one may",
  shutting_down: "The gateway was stopping",
  certificate_refused: "Its certificate is not accepted",
  security_refused: "A signature, a security policy or the data of a session does not fit",
  credentials_refused: "Wrong user, password or user certificate",
  access_denied: "The user's roles do not allow it",
  reserved: "Only the last sixth of the places is left, and this client has more than a sixth already",
  reserved_subscriptions:
    "Only the last sixth of the subscriptions is left, and this client has more than a sixth already",
  reserved_items: "Only the last sixth of the monitored items is left, and this client has more than a sixth already",
  evicted: "It had gone, and another client needed its place",
  malformed: "It sent something that is no OPC UA message, or none that may come at this point",
  message_too_large: "It sent a message that is larger than a limit allows",
  endpoint_url_invalid: "The endpoint URL that it asked for is not valid",
  chunk_deadline: "It began a message and did not go on in time",
  message_deadline: "It began a long message and did not finish it in time",
  write_deadline: "It did not take its messages in time",
  send_queue_full: "It did not take its messages: its queue is full",
  memory_budget: "All connections together held too much memory, and this one held most",
  max_subscriptions: "The gateway has as many subscriptions as it may have",
  max_subscriptions_per_session: "This session has as many subscriptions as one may have",
  max_subscriptions_per_user: "This user has as many subscriptions as one may have",
  max_subscriptions_per_certificate: "This certificate has as many subscriptions as one may have",
  max_subscriptions_per_address: "This address has as many subscriptions as one may have",
  max_monitored_items: "The gateway has as many monitored items as it may have",
  max_monitored_items_per_subscription: "This subscription has as many monitored items as one may have",
  max_monitored_items_per_session: "This session has as many monitored items as one may have",
  max_monitored_items_per_user: "This user has as many monitored items as one may have",
  max_monitored_items_per_certificate: "This certificate has as many monitored items as one may have",
  max_monitored_items_per_address: "This address has as many monitored items as one may have",
  max_queued_values_per_session: "The queues of the subscription to take over are larger than a session may have",
  max_http_streams: "The gateway has as many streams over HTTP as it may have",
  max_http_streams_per_user: "This user has as many streams over HTTP as one may have",
  max_http_streams_per_address: "This address has as many streams over HTTP as one may have",
  max_http_web_sockets: "The gateway has as many WebSockets as it may have",
  max_http_web_sockets_per_address: "This address has as many WebSockets as one may have",
};

export function causeOf(reason: string): string {
  return CAUSES[reason] ?? spoken(reason);
}

const STAGES: Record<string, string> = {
  connection: "Connect",
  hello: "Hello",
  open: "Open secure channel",
  renew: "Renew secure channel",
  create_session: "Create session",
  activate_session: "Activate session",
  request: "Request",
  publish: "Publish",
  http_connection: "HTTP connection",
  http: "HTTP request",
};

export function stageOf(stage: string): string {
  return STAGES[stage] ?? spoken(stage);
}

function spoken(name: string): string {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
