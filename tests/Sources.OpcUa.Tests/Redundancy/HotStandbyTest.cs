using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Redundancy;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Tests.Redundancy;

/// <summary>Two servers in memory as one upstream.</summary>
public abstract class HotStandbyTest : IAsyncLifetime, IAsyncDisposable
{
    protected const int TookOverWithoutGap = 5078;
    protected const int Hot = 3, Warm = 2;

    private const int Connected = 5001;

    private static readonly NodeId Objects = new(85), Double = new(11);
    private protected static readonly NodeId ServiceLevel = new(2267), RedundancySupport = new(3709);

    private protected readonly UpstreamFixture _gateway;
    private protected readonly FakeUpstream _second = new();
    private protected UpstreamConnector? _connector;

    private protected HotStandbyTest(bool events = false) => _gateway = new UpstreamFixture(events: events);

    private protected FakeUpstream First => _gateway.Server;

    public Task InitializeAsync()
    {
        foreach (var server in new[] { First, _second })
        {
            server.AddVariable(Objects, Node("Speed"), new Variant(1.0), Double);
            server.AddVariable(Objects, Node("Level"), new Variant(1.0), Double);
            Set(server, ServiceLevel, new Variant((byte)255));
            Set(server, RedundancySupport, new Variant(Hot));
            server.OnCall = static _ => StatusCode.Good;
        }

        return Task.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        await _gateway.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private protected IReadOnlyList<RedundantServer> Servers => _connector!.Report.Redundancy!.Servers;

    private protected static NodeId Node(string name) => new(name, 2);

    private protected static T[] Requests<T>(FakeUpstream server)
    {
        lock (server.Requests)
            return [.. server.Requests.OfType<T>()];
    }

    private protected static void Set(FakeUpstream server, NodeId node, Variant value)
    {
        lock (server.Requests)
            server.Attributes[(node, AttributeId.Value)] = new DataValue(value);
    }

    private protected void SetSupport(int support)
    {
        foreach (var server in new[] { First, _second })
            Set(server, RedundancySupport, new Variant(support));
    }

    private protected void Watch(string name) => _gateway.OnInterest(_gateway.Find(name), true);

    private protected DataValue Value(string name) => _gateway.Values.Read(_gateway.Find(name));

    /// <summary>They are all there: the report says how it was before a change that is under way.</summary>
    private protected Task StandbyItemsAsync(int count) =>
        AdvanceUntilAsync(() => _connector!.Standby.IsReady && Servers[1].StandbyItems == count);

    private protected Task AdvanceUntilAsync(Func<bool> holds) => Condition.UntilAsync(() =>
    {
        _gateway.Time.Advance(TimeSpan.FromMilliseconds(500));
        return holds();
    });

    /// <summary>To the end of the next look at the servers, and of the standby's.</summary>
    private protected async Task LookAsync()
    {
        var before = Requests<ReadRequest>(First).Length;
        await AdvanceUntilAsync(() => Requests<ReadRequest>(First).Length > before + 4);
    }

    private protected async Task StartAsync(string mode = "auto")
    {
        var options = new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://fake",
            BackupUrls = ["opc.tcp://fake2"],
            Standby = mode,
        };
        _connector = _gateway.Start(options, new RedundantConnection(
            options.Name,
            [
                new RedundantMember(options.EndpointUrl, First, _gateway.Time),
                new RedundantMember(options.BackupUrls[0], _second, _gateway.Time),
            ],
            _gateway.Time, _gateway.Log, mode));
        await _gateway.Log.NextAsync(Connected);
        await Condition.UntilAsync(() => _connector.Report.State == SourceState.Online);
        await Condition.UntilAsync(() => _connector.Report.Redundancy!.Support.Length > 0);
        // A connection that ends sooner is not followed by the next at once.
        await LookAsync();
    }
}
