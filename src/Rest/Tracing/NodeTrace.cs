using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Rest.Streams;

namespace Gateway.Rest.Tracing;

/// <summary>Puts the way of one value together: node, source, item at the source, store, monitored items, sweep, and
/// the consumers. Reads what each part knows anyway. Thread-safe.</summary>
internal sealed class NodeTrace(
    NodeTable nodes, ValueStore values, NodeAccess access, PublishEngine publishing, StreamBook streams,
    IValueWays ways, TimeProvider time)
{
    private const string Unwatched =
        "The gateway keeps the values of such a node only while a client watches it; each read asks the source.";

    /// <param name="caller">The user: he sees no more than by other paths.</param>
    /// <param name="node">None: there is no such node, or he does not see it.</param>
    public IReadOnlyList<TraceHop> Follow(Caller caller, NodeHandle node)
    {
        if (node.IsNone || !access.IsVisible(caller, node))
            return [Missing(), .. AccessPolicy.Check(caller, GatewayPermission.ReadState).IsBad
                ? [] : ways.TraceAwaySources()];
        if (nodes.GetNodeClass(node) != NodeClass.Variable)
            return
            [
                new("node", "Node", HopState.Fault, $"This is no Variable but a {nodes.GetNodeClass(node)}.")
                {
                    Remedy = "Choose a Variable below it: only Variables have values.",
                },
            ];
        var watch = publishing.ReadWatchers(node);
        var hops = new List<TraceHop> { Node(caller, node, out var isReadable) };
        hops.AddRange(ways.TraceSource(node));
        if (isReadable)
            hops.Add(Store(node, watch));
        var parked = streams.ParkedSubscriptions();
        hops.Add(WatchHops.Items(watch, parked));
        hops.Add(WatchHops.Sweep(watch));
        hops.AddRange(WatchHops.Consumers(
            watch, parked, !AccessPolicy.Check(caller, GatewayPermission.ReadClients).IsBad));
        hops.AddRange(ways.TraceWriters(node));
        return hops;
    }

    private static TraceHop Missing() => new(
        "node", "Node", HopState.Fault, "There is no such node, or your roles do not let you see it.")
    {
        Remedy = "Look for it in the address space. The nodes of an upstream appear when it has connected once.",
    };

    private TraceHop Node(Caller caller, NodeHandle node, out bool isReadable)
    {
        var status = access.CheckRead(caller, node, AttributeId.Value);
        isReadable = !status.IsBad;
        if (isReadable)
            return new TraceHop("node", "Node", HopState.Ok, "It exists, and you may read it.");
        return status.CodeBits == StatusCodes.BadNotReadable
            ? new("node", "Node", HopState.Fault, "Nobody can read its value: its AccessLevel has no CurrentRead.")
            {
                Remedy = "Change the AccessLevel of the node at its source.",
            }
            : new("node", "Node", HopState.Fault, $"You may not read its value: {status}.")
            {
                Remedy = "Log in as a user with more rights, or over an encrypted connection if the node asks for one.",
            };
    }

    private TraceHop Store(NodeHandle node, WatchReport watch)
    {
        if (values.Acquire(node) is not { } value)
            return nodes.SourceOf(node) is IInterestSource or IPolledSource && watch.Items == 0
                ? new TraceHop("store", "Value in the gateway", HopState.None, Unwatched)
                : new TraceHop("store", "Value in the gateway", HopState.Fault, "No value has come yet.")
                {
                    Remedy = "Look at the source above. If clients write this node, none has written it yet.",
                };
        var (status, source, server, type, version) = (
            value.Status, value.SourceTimestamp, value.ServerTimestamp, value.Type, value.Version);
        value.Release();
        var at = server > source ? server : source;
        var age = at == default ? (TimeSpan?)null : Positive(time.GetUtcNow().UtcDateTime - at);
        var state = status.IsBad ? HopState.Fault : status.IsGood ? HopState.Ok : HopState.Warning;
        return new TraceHop("store", "Value in the gateway", state, state switch
        {
            HopState.Ok => "The gateway has a good value.",
            HopState.Warning => $"The gateway has a value of doubtful quality: {status}.",
            _ => $"The gateway has no good value: {status}.",
        })
        {
            Age = age,
            Remedy = state == HopState.Ok ? null : RemedyOf(status),
            Facts =
            [
                ("status", status.ToString()), ("type", type.ToString()), ("sourceTimestamp", Time(source)),
                ("serverTimestamp", Time(server)), ("changes", version),
            ],
        };
    }

    private static string RemedyOf(StatusCode status) => status.CodeBits switch
    {
        StatusCodes.BadNoCommunication => "The source is away: look at its cause above.",
        StatusCodes.BadWaitingForInitialData => "The first value is on its way. If none comes, look at the source.",
        StatusCodes.BadOutOfMemory =>
            "The upstream's values take more than Limits:MaxUpstreamHeldBytes: watch less, or raise it.",
        _ => "The status comes from the source with the value: look at the device.",
    };

    private static DateTime? Time(DateTime time) => time == default ? null : time;

    private static TimeSpan Positive(TimeSpan age) => age > TimeSpan.Zero ? age : TimeSpan.Zero;
}
