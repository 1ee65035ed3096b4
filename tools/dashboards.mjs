// Makes the Grafana dashboards in deploy/helm/files/dashboards. With --check it only says whether they are up to date.
// A dashboard is a list of rows; a row is a title and panels; a panel is [title, unit, meaning, query, legend, ...].
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../deploy/helm/files/dashboards');
const of = '{instance=~"$instance"}';
const by = more => `{instance=~"$instance", ${more}}`;
const rate = (name, labels = of) => `rate(${name}${labels}[$__rate_interval])`;

const dashboards = {
  overview: ['OPC UA Gateway: overview', 'Does the plant\'s data flow, and if not, why?', [
    ['State', [
      ['Gateways up', 'none', 'Gateways that answer Prometheus.', `sum(up${of})`, 'up', 'stat'],
      ['ServiceLevel', 'none', '255: all is well. Below 200: starting, ending or overloaded.', `gateway_service_level${of}`, '{{instance}}', 'stat'],
      ['Sessions', 'none', 'Clients that are logged in.', `gateway_server_activated_sessions${of}`, '{{instance}}', 'stat'],
      ['Upstreams without data', 'none', 'Sources that are not connected. GET /api/v1/upstreams says why.', `sum(gateway_source_state${by('state!~"online|limited"')}) or vector(0)`, 'sources', 'stat'],
      ['Brokers connected', 'none', '1: connected. 0: messages wait in the store.', `gateway_pubsub_connected${of}`, '{{connection}}', 'stat'],
      ['Faults', 'none', 'Internal errors of the last hour. The log has each.', `increase(gateway_contained_faults_total${of}[1h])`, '{{instance}}', 'stat'],
    ]],
    ['Data', [
      ['Notifications', 'ops', 'Changes of values sent to OPC UA clients.', rate('gateway_notifications_total'), '{{instance}}'],
      ['Publish lateness', 's', 'From the time at which a subscription is due to its sweep.', `histogram_quantile(0.5, sum by (le) (${rate('gateway_publish_lateness_seconds_bucket')}))`, 'median', 'timeseries', `histogram_quantile(0.99, sum by (le) (${rate('gateway_publish_lateness_seconds_bucket')}))`, '99 %'],
      ['Requests by service', 'ops', 'Answered, also with an error.', `sum by (service) (${rate('gateway_server_requests_total')}) > 0`, '{{service}}'],
      ['Failed requests by service', 'ops', 'Answered with a ServiceFault.', `sum by (service) (${rate('gateway_server_failed_requests_total')}) > 0`, '{{service}}'],
      ['Bytes on the wire', 'Bps', 'Of OPC UA connections.', rate('gateway_sent_bytes_total'), 'sent', 'timeseries', rate('gateway_received_bytes_total'), 'received'],
    ]],
    ['Clients', [
      ['Connections, channels, sessions', 'none', 'What is open now.', `gateway_connections${of}`, 'connections', 'timeseries', `gateway_secure_channels${of}`, 'channels', `gateway_server_sessions${of}`, 'sessions'],
      ['Subscriptions and items', 'none', 'What clients watch.', `gateway_subscriptions${of}`, 'subscriptions', 'timeseries', `gateway_monitored_items${of}`, 'monitored items'],
    ]],
  ]],
  admission: ['OPC UA Gateway: admission and storms', 'Who is let in, who is refused, and which limit acts?', [
    ['Refusals', [
      ['Refused by stage and reason', 'ops', 'GET /api/v1/admission says which limit acts and what to change.', `sum by (stage, reason) (${rate('gateway_admission_shed_total')}) > 0`, '{{stage}}: {{reason}}'],
      ['Admitted by stage', 'ops', '', `sum by (stage) (${rate('gateway_admission_admitted_total')})`, '{{stage}}'],
      ['Waiting by stage', 'none', 'Clients and requests that wait for their turn.', `gateway_admission_waiting${of}`, '{{stage}}'],
      ['Use of each limit', 'percentunit', 'Sessions, items, queues and memory: GET /api/v1/limits has them all.', `gateway_limit_in_use${of} / gateway_limit${of}`, '{{limit}}'],
      ['Ended because memory was used up', 'ops', 'By Limits:MemoryBudgetBytes: requests that wait for a source, or over HTTP for their client; and connections whose clients do not read their answers.', rate('gateway_memory_refused_requests_total'), 'requests', 'timeseries', rate('gateway_secure_channel_closes_total', by('reason="memory_budget"')), 'connections'],
      ['Refused while decoding', 'ops', 'Too much was being decoded at once.', rate('gateway_decoding_refused_total'), '{{instance}}'],
    ]],
    ['Handshakes', [
      ['Handshakes under way, and the window', 'none', 'The window grows and shrinks with the lateness of the plant\'s data.', `gateway_admission_handshakes_under_way${of}`, 'under way', 'timeseries', `gateway_admission_handshake_window${of}`, 'window'],
      ['Handshakes a second that the keys serve', 'ops', 'As measured on this machine.', `gateway_admission_handshake_rate${of}`, '{{instance}}'],
      ['Share of the key workers', 'percentunit', '1 while the plant\'s data is on time.', `gateway_admission_concurrency_share${of}`, '{{instance}}'],
      ['Private-key work refused or too late', 'ops', '', rate('gateway_private_key_refused_total'), 'refused', 'timeseries', rate('gateway_private_key_expired_total'), 'too late'],
    ]],
    ['Ends', [
      ['Connections ended, by reason', 'ops', '', `sum by (reason) (${rate('gateway_secure_channel_closes_total')}) > 0`, '{{reason}}'],
      ['Sessions ended', 'ops', '', rate('gateway_server_sessions_timed_out_total'), 'time-out', 'timeseries', rate('gateway_server_sessions_evicted_total'), 'evicted', rate('gateway_server_sessions_aborted_total'), 'aborted'],
      ['Audit events', 'ops', '', `sum by (event) (${rate('gateway_server_audit_events_total')}) > 0`, '{{event}}'],
    ]],
  ]],
  publish: ['OPC UA Gateway: publish engine', 'Do subscriptions get their data in time, and all of it?', [
    ['Time', [
      ['Lateness', 's', 'From the time at which a subscription is due to its sweep. Messages above 16 KB then wait for their turn behind shorter ones.', `histogram_quantile(0.5, sum by (le) (${rate('gateway_publish_lateness_seconds_bucket')}))`, 'median', 'timeseries', `histogram_quantile(0.99, sum by (le) (${rate('gateway_publish_lateness_seconds_bucket')}))`, '99 %', `histogram_quantile(0.999, sum by (le) (${rate('gateway_publish_lateness_seconds_bucket')}))`, '99.9 %', `histogram_quantile(0.99, sum by (le) (${rate('gateway_publish_line_wait_seconds_bucket')}))`, '99 % of the waits of long messages'],
      ['Sweeps a second', 'ops', 'Of subscriptions.', rate('gateway_publish_lateness_seconds_count'), '{{instance}}'],
      ['Duration of a sweep', 's', 'For all the subscriptions that were due at one time.', `histogram_quantile(0.5, sum by (le) (${rate('gateway_publish_sweep_duration_seconds_bucket')}))`, 'median', 'timeseries', `histogram_quantile(0.99, sum by (le) (${rate('gateway_publish_sweep_duration_seconds_bucket')}))`, '99 %'],
      ['Duration of requests, 99 %', 's', 'From a whole request to its answer, by service.', `histogram_quantile(0.99, sum by (service, le) (${rate('gateway_server_request_duration_seconds_bucket')}))`, '{{service}}'],
    ]],
    ['Flow', [
      ['Notifications, messages, keep-alives', 'ops', '', rate('gateway_notifications_total'), 'notifications', 'timeseries', rate('gateway_notification_messages_total'), 'messages', rate('gateway_keep_alives_total'), 'keep-alives'],
      ['Values that were dropped', 'ops', 'By full queues of items, by memory, by lag of a shard. Larger queues or longer intervals help.', rate('gateway_queue_overflows_total'), 'queue full', 'timeseries', rate('gateway_large_values_dropped_total'), 'no memory', rate('gateway_coalesced_changes_total'), 'shard lagged'],
      ['Publish requests refused or expired', 'ops', '', rate('gateway_too_many_publish_requests_total'), 'too many', 'timeseries', rate('gateway_expired_publish_requests_total'), 'expired'],
      ['Polls of nodes', 'ops', 'Of nodes whose source does not push.', rate('gateway_node_polls_total'), 'polls', 'timeseries', rate('gateway_delayed_node_polls_total'), 'delayed'],
    ]],
    ['Limits', [
      ['Refused at a limit', 'ops', '', rate('gateway_refused_subscriptions_total'), 'subscriptions', 'timeseries', rate('gateway_refused_monitored_items_total'), 'monitored items', rate('gateway_refused_transfers_total'), 'transfers'],
      ['Memory of messages kept for Republish', 'bytes', '', `gateway_retransmission_bytes${of}`, '{{instance}}'],
      ['Subscriptions ended', 'ops', '', rate('gateway_expired_subscriptions_total'), 'lifetime', 'timeseries', rate('gateway_evicted_subscriptions_total'), 'evicted'],
    ]],
    ['Durable subscriptions', [
      ['Time since the last save', 's', 'Above a few seconds the disk refuses: a restart would lose what has come since.', `gateway_durable_unsaved_seconds${of}`, '{{instance}}'],
      ['Queued values and files', 'bytes', 'As they lie on disk.', `gateway_durable_queued_bytes${of}`, 'queued', 'timeseries', `gateway_durable_file_bytes${of}`, 'files'],
      ['Values without room, refusals, waits for numbers', 'ops', 'A limit or the disk is in the way.', rate('gateway_durable_shortages_total'), 'no room', 'timeseries', rate('gateway_durable_refused_total'), 'refused', rate('gateway_durable_number_waits_total'), 'no number'],
    ]],
  ]],
  upstreams: ['OPC UA Gateway: upstreams', 'Which controllers are connected, and how far behind are they?', [
    ['State', [
      ['State by source', 'none', '1: the state that it is in.', `gateway_source_state${of} == 1`, '{{source}}: {{state}}'],
      ['Nodes by source', 'none', '', `gateway_source_nodes${of}`, '{{source}}'],
      ['Upstreams connected', 'none', '1: connected. 0: its nodes have bad values. GET /api/v1/upstreams says why.', `gateway_upstream_connected${of}`, '{{upstream}}'],
      ['Notifications', 'ops', 'Changes of values from each upstream.', rate('gateway_upstream_notifications_total'), '{{upstream}}'],
      ['Monitored items', 'none', 'What the gateway watches there.', `gateway_upstream_monitored_items${of}`, '{{upstream}}'],
      ['Connects and failures', 'ops', '', rate('gateway_upstream_connects_total'), '{{upstream}}: connected', 'timeseries', rate('gateway_upstream_connect_failures_total'), '{{upstream}}: failed', rate('gateway_upstream_circuit_breaks_total'), '{{upstream}}: circuit opened'],
      ['Silence', 's', 'Time since the last message of a connected upstream.', `gateway_upstream_silence_seconds${of}`, '{{upstream}}'],
      ['Lost messages', 'ops', 'Gaps in the upstream\'s sequence numbers that it could not fill.', rate('gateway_upstream_lost_messages_total'), '{{upstream}}'],
      ['Failed reads and polls', 'ops', '', rate('gateway_publish_source_failures_total'), 'source', 'timeseries', rate('gateway_publish_poll_failures_total'), 'poll'],
    ]],
    ['Redundancy', [
      ['Server in use', 'none', 'Of an upstream with backups. 0: its EndpointUrl. 1: the first of its BackupUrls. GET /api/v1/upstreams has all servers.', `gateway_upstream_active_server${of}`, '{{upstream}}'],
      ['ServiceLevel of the server in use', 'none', '200 and more is healthy.', `gateway_upstream_service_level${of}`, '{{upstream}}'],
      ['Items at the standby', 'none', 'Of a hot standby: they sample along, so that it takes over without a gap. 0 there: a failover makes them anew.', `gateway_upstream_standby_items${of}`, '{{upstream}}'],
      ['Failovers', 'ops', 'Another server took over. The log says which one and why.', rate('gateway_upstream_failovers_total'), '{{upstream}}'],
    ]],
  ]],
  egress: ['OPC UA Gateway: REST, streams and PubSub', 'Do the other doors get their data, and is anything lost?', [
    ['PubSub', [
      ['Connected', 'none', '1: the connection to the broker stands.', `gateway_pubsub_connected${of}`, '{{connection}}'],
      ['Values and messages', 'ops', '', rate('gateway_pubsub_values_total'), 'values', 'timeseries', rate('gateway_pubsub_messages_total'), 'messages'],
      ['Waiting in the store', 'none', 'Messages that the broker has not acknowledged.', `gateway_store_records${of}`, '{{store}}'],
      ['Age of the oldest message', 's', '', `gateway_store_oldest_age_seconds${of}`, '{{store}}'],
      ['Fill level of the store', 'percentunit', 'At 1 the oldest messages go, and are reported.', `gateway_store_bytes${of} / gateway_store_max_bytes${of}`, '{{store}}'],
      ['Lost', 'ops', 'GET /api/v1/pubsub and the topic gaps say which messages.', rate('gateway_store_lost_records_total'), 'from the store', 'timeseries', rate('gateway_pubsub_lost_messages_total'), 'before the store', rate('gateway_pubsub_discarded_messages_total'), 'not taken by the broker', rate('gateway_pubsub_skipped_values_total'), 'values that came too fast'],
    ]],
    ['HTTP', [
      ['Streams and WebSockets', 'none', '', `gateway_http_streams${of}`, 'streams', 'timeseries', `gateway_http_web_sockets${of}`, 'WebSockets'],
      ['Memory of answers, bodies and streams', 'bytes', '', `gateway_http_answers_bytes${of}`, 'answers', 'timeseries', `gateway_http_bodies_bytes${of}`, 'bodies', `gateway_http_streams_bytes${of}`, 'streams'],
      ['Duration of requests, 99 %', 's', 'By route; without streams and WebSockets.', `histogram_quantile(0.99, sum by (route, le) (${rate('gateway_http_request_duration_seconds_bucket')}))`, '{{route}}'],
      ['Requests by route', 'ops', '', `sum by (route, method) (${rate('gateway_http_request_duration_seconds_count')})`, '{{method}} {{route}}'],
      ['Bad requests by status', 'ops', '', `sum by (status) (${rate('gateway_http_bad_requests_total')}) > 0`, '{{status}}'],
      ['Refused for memory or work', 'ops', '', rate('gateway_http_bodies_refused_total'), 'bodies', 'timeseries', rate('gateway_http_answers_refused_total'), 'answers', rate('gateway_http_work_refused_total'), 'work', rate('gateway_http_streams_refused_total'), 'streams'],
      ['Values skipped for slow streams', 'ops', '', rate('gateway_stream_skipped_values_total'), '{{instance}}'],
      ['Days left of the HTTPS certificate', 'd', '', `gateway_http_tls_certificate_remaining_seconds${of} / 86400`, '{{instance}}'],
    ]],
  ]],
  runtime: ['OPC UA Gateway: process', 'Does the process have enough memory, CPU and descriptors?', [
    ['Process', [
      ['CPU', 'none', 'Cores.', rate('gateway_process_cpu_seconds_total'), '{{instance}}'],
      ['Memory', 'bytes', '', `gateway_process_resident_memory_bytes${of}`, 'resident', 'timeseries', `gateway_gc_heap_bytes${of}`, 'managed heap', `gateway_gc_committed_bytes${of}`, 'committed'],
      ['Descriptors', 'none', 'Files and sockets that are open.', `gateway_process_open_descriptors${of}`, 'open', 'timeseries', `gateway_outgoing_connections${of}`, 'connections of the gateway\'s own'],
      ['Days left of the OPC UA certificate', 'd', 'The gateway\'s own.', `gateway_certificate_remaining_seconds${of} / 86400`, '{{instance}}'],
      ['Connections of the web server', 'none', 'Of UA-TCP and HTTP, by port.', `gateway_kestrel_active_connections${of}`, '{{server_port}}'],
      ['Up since', 's', '', `time() - gateway_process_start_time_seconds${of}`, '{{instance}}'],
    ]],
    ['.NET', [
      ['Time in the garbage collector', 'percentunit', '', rate('gateway_gc_pause_seconds_total'), '{{instance}}'],
      ['Collections by generation', 'ops', '', `sum by (generation) (${rate('gateway_gc_collections_total')})`, 'generation {{generation}}'],
      ['Allocated', 'Bps', '', rate('gateway_gc_allocated_bytes_total'), '{{instance}}'],
      ['Buffers', 'bytes', 'Large ones.', `gateway_rented_buffer_bytes${of}`, 'in use', 'timeseries', `gateway_idle_buffer_bytes${of}`, 'idle'],
      ['Encoded values in use', 'none', '', `gateway_shared_values_outstanding${of}`, '{{instance}}'],
      ['Thread pool', 'none', '', `gateway_thread_pool_threads${of}`, 'threads', 'timeseries', `gateway_thread_pool_queue_length${of}`, 'queue'],
    ]],
    ['Log', [
      ['Lines', 'ops', '', rate('gateway_log_lines_total'), 'logged', 'timeseries', rate('gateway_log_lines_dropped_total'), 'dropped'],
      ['Faults', 'ops', 'Internal errors that ended one job. The log has each.', rate('gateway_contained_faults_total'), '{{instance}}'],
    ]],
  ]],
};

const datasource = { type: 'prometheus', uid: '${datasource}' };

function panelOf([title, unit, description, query, legend, type = 'timeseries', ...more], id, gridPos) {
  const targets = [[query, legend]];
  for (let i = 0; i < more.length; i += 2)
    targets.push([more[i], more[i + 1]]);
  return {
    id, title, description, type, gridPos, datasource,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: type === 'stat'
      ? { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value' }
      : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: targets.map(([expr, legendFormat], i) => ({ refId: String.fromCharCode(65 + i), datasource, expr, legendFormat })),
  };
}

function dashboardOf(name, [title, description, rows]) {
  const panels = [];
  let [y, id] = [0, 1];
  for (const [rowTitle, row] of rows) {
    panels.push({ id: id++, type: 'row', title: rowTitle, collapsed: false, gridPos: { x: 0, y: y++, w: 24, h: 1 }, panels: [] });
    const isStats = row.every(panel => panel[5] === 'stat');
    const [perLine, height] = isStats ? [row.length, 4] : [row.length % 3 === 0 ? 3 : 2, 8];
    row.forEach((panel, i) => {
      const w = Math.floor(24 / perLine);
      panels.push(panelOf(panel, id++, { x: (i % perLine) * w, y: y + Math.floor(i / perLine) * height, w, h: height }));
    });
    y += Math.ceil(row.length / perLine) * height;
  }
  return {
    uid: `opcua-gateway-${name}`, title, description, tags: ['opcua-gateway'], schemaVersion: 39, editable: true,
    refresh: '10s', time: { from: 'now-1h', to: 'now' }, timezone: 'browser',
    links: [{ type: 'dashboards', tags: ['opcua-gateway'], title: 'Gateway', asDropdown: true }],
    templating: { list: [
      { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
      { name: 'instance', label: 'Gateway', type: 'query', datasource, query: 'label_values(gateway_build_info, instance)', includeAll: true, multi: true, refresh: 2, current: { text: 'All', value: '$__all' }, allValue: '.*' },
    ] },
    panels,
  };
}

const isCheck = process.argv.includes('--check');
let isCurrent = true;
mkdirSync(folder, { recursive: true });
for (const [name, dashboard] of Object.entries(dashboards)) {
  const path = join(folder, `${name}.json`);
  const text = JSON.stringify(dashboardOf(name, dashboard), null, 1) + '\n';
  if (!isCheck)
    writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is not what tools/dashboards.mjs makes`);
    isCurrent = false;
  }
}
process.exit(isCurrent ? 0 : 1);
