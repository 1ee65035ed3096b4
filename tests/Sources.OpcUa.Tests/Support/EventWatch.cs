using Gateway.Client.Subscriptions;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;

namespace Gateway.Sources.OpcUa.Tests.Support;

/// <summary>An item for events as a client of the gateway has it, and the upstream's side that sends them.</summary>
internal sealed class EventWatch
{
    private readonly UpstreamFixture _gateway;
    private readonly EventInbox _inbox;
    private readonly string[] _paths;

    /// <param name="gateway">With an upstream.</param>
    /// <param name="paths">Fields that the client selects; the empty one is the ConditionId.</param>
    public EventWatch(UpstreamFixture gateway, params string[] paths)
    {
        (_gateway, _paths) = (gateway, paths);
        _inbox = gateway.Hub.OpenInbox(1000, static () => { });
        Join(new NodeId(StandardIds.Objects.Server));
    }

    public void Join(NodeId notifier)
    {
        var verdict = _gateway.Hub.Take(
            new EventFilter { SelectClauses = Array.ConvertAll(_paths, static path => Clause(path)) }, "watch");
        _gateway.Hub.Join(verdict.Filter!, _gateway.Nodes.Find(notifier), _inbox, seesAudit: false);
    }

    /// <summary>The fields of the next event, by their path.</summary>
    public async Task<Dictionary<string, Variant>> NextAsync()
    {
        // As the shard does: few events wake nobody.
        PostedEvent next = default;
        await Condition.UntilAsync(() => _inbox.TryTake(out next));
        var values = new UaBinaryReader(next.Fields.EncodedVariant).ReadVariant().AsArray<Variant>()!;
        next.Fields.Release();
        return _paths.Zip(values).ToDictionary(static one => one.First, static one => one.Second);
    }

    public bool IsEmpty => !_inbox.TryTake(out _);

    /// <summary>The upstream sends events: of each the values of the fields that it names.</summary>
    public void Send(params Dictionary<string, Variant>[] events) => Send(_gateway.Server, events);

    public static void Send(FakeUpstream server, params Dictionary<string, Variant>[] events)
    {
        var filter = (EventFilter)server.EventItem.RequestedParameters.Filter.Body!;
        var paths = Array.ConvertAll(
            filter.SelectClauses!,
            static one => string.Join('/', (one.BrowsePath ?? []).Select(static name => name.Name)));
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        new EventNotificationList
        {
            Events = Array.ConvertAll(events, one => new EventFieldList
            {
                ClientHandle = 1,
                EventFields = Array.ConvertAll(paths, path => one.GetValueOrDefault(path)),
            }),
        }.Encode(ref writer);
        writer.Complete();
        var list = new EventListReader(new UaBinaryReader(buffer.WrittenSpan));
        server.EventHandler!.OnEvents(null!, ref list);
    }

    public static SimpleAttributeOperand Clause(string path) => new()
    {
        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
        BrowsePath = path.Length == 0
            ? null
            : Array.ConvertAll(path.Split('/'), static name => new QualifiedName(name)),
        AttributeId = (uint)(path.Length == 0 ? AttributeId.NodeId : AttributeId.Value),
    };
}
