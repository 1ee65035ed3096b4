using Gateway.AddressSpace.Nodes;
using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Items;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Items;

/// <summary>Ten nodes of an upstream in memory, and the items that follow them.</summary>
public abstract class ItemsTest : IAsyncLifetime, IAsyncDisposable
{
    protected const uint SubscriptionId = 5;

    internal readonly UpstreamFixture _gateway;

    protected ItemsTest()
        : this(TightLimits)
    {
    }

    private protected ItemsTest(UpstreamLimits limits) => _gateway = new UpstreamFixture(limits);

    internal static UpstreamLimits TightLimits { get; } = new()
    {
        MaxUpstreamValueBytes = 100,
        MaxUpstreamHeldBytes = 200,
        MaxUpstreamNotifications = 20,
        MaxUpstreamEmptyPublishes = 30,
        MaxUpstreamValuesPerSecond = 100,
        UpstreamItemLinger = TimeSpan.Zero,
    };

    internal readonly UpstreamMetrics _metrics = new("A", isInsecure: false, TimeProvider.System);
    internal readonly NodeHandle[] _tags = new NodeHandle[10];
    internal UpstreamSource _source = null!;
    internal UpstreamLink _link = null!;

    internal UpstreamItems Items => _source.Items;

    public async Task InitializeAsync()
    {
        var index = _gateway.Nodes.Namespaces.GetOrAdd("urn:data");
        _source = new UpstreamSource(
            _gateway.Nodes,
            _gateway.Values,
            _gateway.Time,
            _metrics,
            _gateway.Limits,
            250,
            Polly.ResiliencePipeline.Empty);
        var batch = new NodeBatch();
        for (var i = 0; i < _tags.Length; i++)
        {
            var name = new QualifiedName("T" + i, index);
            batch.AddVariable(
                new NodeId("T" + i, index), name, new VariableFacts(new NodeId(11)), _source, default);
        }

        _gateway.Nodes.Apply(batch);
        for (var i = 0; i < _tags.Length; i++)
            _tags[i] = _gateway.Nodes.Find(new NodeId("T" + i, index));
        var session = await _gateway.Server.ConnectAsync(default);
        var toLocal = new ushort[] { 0, 0, index };
        _link = new UpstreamLink(
            session, new NamespaceMap(toLocal), new OperationSizes { MonitoredItemsPerCall = 4 }, 250);
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        await _gateway.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    protected void Notify(int count, uint handle = 0)
    {
        var items = new MonitoredItemNotification[count];
        Array.Fill(items, new MonitoredItemNotification { ClientHandle = handle });
        Notify(items);
    }

    protected void Notify(MonitoredItemNotification[] items)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        new DataChangeNotification { MonitoredItems = items }.Encode(ref writer);
        writer.Complete();
        var changes = new DataChangeReader(
            new UaBinaryReader(buffer.WrittenSpan, new ClientOptions().DecodingLimits), 1, DateTime.UnixEpoch);
        _source.Intake.OnDataChange(null!, ref changes);
    }

    protected void Connect()
    {
        _source.Link = _link;
        Items.OnConnected(_link);
    }

    /// <summary>The fake answers at once: all that is due is done when the loop first waits.</summary>
    protected async Task FollowAsync()
    {
        using var stop = new CancellationTokenSource();
        var following = _source.Follower.FollowAsync(_link, SubscriptionId, stop.Token);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => following);
    }

    protected void Ingest(NodeHandle node, in DataValue value)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        var item = new MonitoredItemNotification { ClientHandle = (uint)node.Index, Value = value };
        new DataChangeNotification { MonitoredItems = [item] }.Encode(ref writer);
        writer.Complete();
        var changes = new DataChangeReader(new UaBinaryReader(buffer.WrittenSpan), 1, DateTime.UnixEpoch);
        var batch = _gateway.Values.BeginBatch();
        Items.Ingest(ref changes, 1, batch);
        batch.Commit();
    }

    protected IEnumerable<T> Sent<T>() => _gateway.Server.Requests.OfType<T>();
}
