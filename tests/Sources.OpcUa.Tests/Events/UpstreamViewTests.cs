using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Events;

/// <summary>A View of an upstream as a notifier: it has all events of what is in it. Source: Part 3 §5.4, §7.17.
/// </summary>
public sealed class UpstreamViewTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Organizes = 35, HasComponent = 47, HasEventSource = 36, HasNotifier = 48;
    private const int Subscribed = 5080;

    private static readonly NodeId Objects = new(85), Shift = new("Shift", 2), Area = new("Area", 2),
        Pump = new("Pump", 2), Door = new("Door", 2);

    private readonly UpstreamFixture _gateway = new(events: true);
    private readonly EventWatch _watch;

    /// <summary>Shift has Area by the first reference; Area has Pump by the second. Door is beside.</summary>
    public UpstreamViewTests() => _watch = new EventWatch(_gateway, "EventId");

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [InlineData(Organizes, HasEventSource)]
    [InlineData(Organizes, HasComponent)]
    [InlineData(HasNotifier, HasEventSource)]
    [InlineData(HasEventSource, HasNotifier)]
    public async Task Event_InTheContentOfAView_ComesToTheView(uint first, uint second)
    {
        await StartAsync(first, second);
        var shift = _gateway.Find("Shift");
        Assert.Equal(NodeClass.View, _gateway.Nodes.GetNodeClass(shift));
        _gateway.Nodes.ReadAttribute(shift, AttributeId.EventNotifier, out var notifier);
        Assert.Equal(1, notifier.AsInt64());
        _watch.Join(_gateway.Nodes.GetNodeId(shift));

        _watch.Send(Event(1, Pump), Event(2, Door), Event(3, Pump));

        // Each comes to the Server object, too.
        Assert.Equal([1, 1, 2, 3, 3], await NextAsync(5));
        Assert.True(_watch.IsEmpty);
    }

    /// <summary>The notifiers of a source are kept until the nodes change.</summary>
    [Fact]
    public async Task Event_AfterItsSourceHasLeftTheView_ComesToTheViewNoLonger()
    {
        await StartAsync(Organizes, HasComponent);
        var (shift, area) = (_gateway.Find("Shift"), _gateway.Find("Area"));
        _watch.Join(_gateway.Nodes.GetNodeId(shift));
        _watch.Send(Event(1, Pump));
        Assert.Equal([1, 1], await NextAsync(2));

        var batch = new Gateway.AddressSpace.Nodes.NodeBatch();
        batch.RemoveReference(shift, _gateway.Nodes.Find(new NodeId(Organizes)), area);
        _gateway.Nodes.Apply(batch);

        _watch.Send(Event(2, Pump), Event(3, Door));
        Assert.Equal([2, 3], await NextAsync(2));
        Assert.True(_watch.IsEmpty);
    }

    private async Task StartAsync(uint first, uint second)
    {
        var server = _gateway.Server;
        server.Add(Objects, Shift, NodeClass.View, Organizes);
        server.Add(Objects, Door, NodeClass.Object, Organizes, 58);
        server.Add(Shift, Area, NodeClass.Object, first, 61);
        server.Add(Area, Pump, NodeClass.Object, second, 58);
        server.Attributes[(Shift, AttributeId.EventNotifier)] = new DataValue(new Variant((byte)1));
        _gateway.Start();
        await _gateway.Log.NextAsync(Subscribed);
    }

    private static Dictionary<string, Variant> Event(byte id, NodeId source) => new()
    {
        ["EventId"] = Variant.FromByteString([id]),
        ["EventType"] = new Variant(new NodeId(StandardIds.ObjectTypes.BaseEventType)),
        ["SourceNode"] = new Variant(source),
        ["Time"] = new Variant(FakeUpstream.At(1)),
    };

    private async Task<List<byte>> NextAsync(int count)
    {
        var told = new List<byte>();
        for (var i = 0; i < count; i++)
            told.Add((await _watch.NextAsync())["EventId"].AsByteString()![0]);
        return told;
    }
}
