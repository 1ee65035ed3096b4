using Gateway.AddressSpace.Nodes;
using Gateway.Admission;
using Gateway.Publish;
using Gateway.Server;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Hosting;

/// <summary>An estimate of the memory of connections, sessions, subscriptions, items and nodes: accurate enough for the
/// thresholds of <see cref="MemoryTrim"/>.</summary>
internal sealed class StateMemory(
    TransportContext transport, AdmissionControl admission, GatewayServer server, PublishEngine publishing,
    NodeTable nodes)
{
    public long EstimateBytes()
    {
        var counters = publishing.Counters;
        return (3 * 1024 * transport.Counters.Connections) + (12 * 1024L * admission.Http.Count) +
            (6 * 1024 * server.Counters.Sessions) + (2 * 1024L * counters.Subscriptions) +
            (200L * counters.MonitoredItems) + (13 * counters.QueueCapacity) + (250L * nodes.Count);
    }
}
