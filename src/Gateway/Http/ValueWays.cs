using Gateway.AddressSpace.Nodes;
using Gateway.Rest.Tracing;
using Gateway.Sources;

namespace Gateway.Host.Http;

/// <summary>The way of values through drivers and PubSub. Threads: any.</summary>
/// <param name="drivers">Made later: the paths are mapped before drivers start.</param>
/// <param name="nodes">The address space.</param>
/// <param name="writers">None where nothing is published.</param>
internal sealed class ValueWays(
    Lazy<SourceDrivers> drivers, NodeTable nodes, IEnumerable<IWriterTrace> writers) : IValueWays
{
    public IReadOnlyList<TraceHop> TraceSource(NodeHandle node)
    {
        if (drivers.Value.Trace(node) is not { } trace)
            return
            [
                new("source", "Source", HopState.Ok,
                    "Clients or parts of the gateway write it; no driver brings its values."),
            ];
        var hops = new List<TraceHop> { Source(trace.Report) };
        if (trace.NeedsInterest)
            hops.Add(Item(trace));
        return hops;
    }

    public IReadOnlyList<TraceHop> TraceAwaySources() =>
    [
        .. drivers.Value.Names.SelectMany(drivers.Value.Report)
            .Where(static one => one.State is not (SourceState.Online or SourceState.Limited))
            .Select(Source),
    ];

    public IReadOnlyList<TraceHop> TraceWriters(NodeHandle node) =>
        [.. writers.SelectMany(one => one.Trace(nodes.GetNodeId(node)))];

    private static TraceHop Source(SourceReport report)
    {
        var state = report.State switch
        {
            SourceState.Online => HopState.Ok,
            SourceState.Limited or SourceState.Loading => HopState.Warning,
            _ => HopState.Fault,
        };
        var cause = report.LastError is { Length: > 0 } error ? $": {error}" : ".";
        return new TraceHop("source", $"Source {report.Name}", state, report.State switch
        {
            SourceState.Online => "It is connected.",
            SourceState.Limited => "It is connected. A limit left some of its nodes out.",
            SourceState.Loading => "It is connected; the gateway looks for its nodes.",
            SourceState.Connecting => "The gateway has not reached it since the start" + cause,
            SourceState.Faulted => "The gateway refuses it" + cause,
            SourceState.Stopped => "It is not started.",
            _ => "It is away" + cause,
        })
        {
            Remedy = state == HopState.Ok ? null : report.Remedy,
            Since = report.Since.UtcDateTime,
            Facts = [("state", report.State.ToString().ToLowerInvariant()), ("nodes", report.Nodes)],
        };
    }

    private static TraceHop Item(SourceTrace trace)
    {
        const string Title = "Item at the source";
        if (trace.Report.State is not (SourceState.Online or SourceState.Limited or SourceState.Loading))
            return new("item", Title, HopState.None, "There is no connection that could have one.");
        if (!trace.IsWanted)
            return new("item", Title, HopState.None, "Nobody watches the node, so the gateway does not, either.");
        if (trace.Refusal.IsBad)
            return new("item", Title, HopState.Fault, $"The source refuses to watch it: {trace.Refusal}.")
            {
                Remedy = "Look at the source: the node, its rights for the gateway's user, its limits for items.",
            };
        return trace.IsFollowed
            ? new("item", Title, HopState.Ok, "The source tells each change.")
            {
                Facts = [("samplingMs", trace.SamplingMs)],
            }
            : new("item", Title, HopState.Warning, "The gateway asks the source to watch it.")
            {
                Remedy = "If this stays, the source is slow or has no room for another item.",
            };
    }
}
