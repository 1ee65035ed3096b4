using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Peers.Hostile;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests;

/// <summary>A real connection to an upstream that goes wrong in each way that TCP allows, beside one that is in order:
/// its clients get an answer, the other upstream's notice nothing, and no session is left.</summary>
public sealed class UpstreamFaultTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Synchronized = 5002;
    private const int Disconnected = 5003;

    private readonly DriverBench _bench = new();
    private readonly OneNodeScript _script = new("urn:bad");
    private HostileServer _bad = null!;
    private HostileServer _good = null!;
    private FaultyLink _link = null!;
    private OpcUaDriver _driver = null!;

    public async Task InitializeAsync()
    {
        _bad = await HostileServer.StartAsync(_script);
        _good = await HostileServer.StartAsync(new OneNodeScript("urn:good"));
        _link = new FaultyLink(_bad.Url);
        _driver = _bench.Make(
            [Options("Bad", _link.Url), Options("Good", _good.Url)],
            new UpstreamLimits { UpstreamRequestTimeout = TimeSpan.FromSeconds(1) });
        _driver.Start();
        await _bench.Log.NextAsync(Synchronized);
        await _bench.Log.NextAsync(Synchronized);
        Assert.Equal(StatusCode.Good, (await ReadAsync("urn:bad")).Status);
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        await _driver.DisposeAsync();
        await _link.DisposeAsync();
        await _bad.DisposeAsync();
        await _good.DisposeAsync();
        await _bench.DisposeAsync();
    }

    /// <summary>As by SIGSTOP.</summary>
    [Fact]
    public async Task Frozen_ClientsGetAnAnswerAndTheSessionGoesOn()
    {
        _link.Set(FaultyLink.Fault.Freeze);

        await AssertOnlyItSuffersAsync();

        _link.Set(FaultyLink.Fault.None);
        await UntilGoodAsync();
        AssertOneSession();
    }

    [Fact]
    public async Task AByteNowAndThen_ClientsGetAnAnswerAndTheSessionGoesOn()
    {
        _link.Set(FaultyLink.Fault.Drip);

        await AssertOnlyItSuffersAsync();

        _link.Set(FaultyLink.Fault.None);
        await UntilGoodAsync();
        AssertOneSession();
    }

    /// <summary>Half open: this end alone knows of the connection, until a device on the way forgets it.</summary>
    [Fact]
    public async Task HalfOpen_ClientsGetAnAnswerAndTheSameSessionComesBack()
    {
        _link.Set(FaultyLink.Fault.Swallow);

        await AssertOnlyItSuffersAsync();

        _link.Set(FaultyLink.Fault.None);
        _link.Cut();
        await _bench.Log.NextAsync(Disconnected);
        await UntilGoodAsync();
        AssertOneSession();
    }

    /// <summary>Nobody knows whether the upstream has the item: the subscription goes, and the session stays.</summary>
    [Fact]
    public async Task HalfOpenWhileAnItemIsMade_TheSameSessionGoesOnWithANewSubscription()
    {
        _link.Set(FaultyLink.Fault.Swallow);
        var node = Find("urn:bad");
        ((IInterestSource)_bench.Nodes.SourceOf(node)!).OnInterest(node, true);
        await _bench.Log.NextAsync(Disconnected);

        _link.Set(FaultyLink.Fault.None);
        _link.Cut();

        await Eventually(() => Task.FromResult(_bad.Services.Count<CreateMonitoredItemsRequest>() == 1));
        AssertOneSession();
        Assert.Equal(1, _bad.Services.Count<DeleteSubscriptionsRequest>());
        Assert.Equal(2, _bad.Services.Count<CreateSubscriptionRequest>());
    }

    /// <summary>Nothing of that size is waited for, or given room.</summary>
    [Fact]
    public async Task AGigabyteAnnounced_EndsTheConnectionAtOnceAndTheSessionGoesOn()
    {
        var before = GC.GetTotalMemory(forceFullCollection: false);

        _link.Inject("MSGF\0\0\0\x40"u8.ToArray());

        await _bench.Log.NextAsync(Disconnected);
        Assert.InRange(GC.GetTotalMemory(forceFullCollection: false) - before, long.MinValue, 256 * 1024 * 1024);
        Assert.Equal(StatusCode.Good, (await ReadAsync("urn:good")).Status);
        await UntilGoodAsync();
        AssertOneSession();
    }

    /// <summary>Nothing of the session comes back: the gateway does not ask for it for ever.</summary>
    [Fact]
    public async Task ActivationAndTransferUnanswered_ANewSessionAfterAFewAttemptsAndNoOtherIsLeft()
    {
        _script.Silent = type => type is TransferSubscriptionsRequest.BinaryEncodingId ||
            (type is ActivateSessionRequest.BinaryEncodingId && _bad.Services.Count<CreateSessionRequest>() == 1);

        _link.Cut();

        await _bench.Log.NextAsync(Disconnected);
        await UntilGoodAsync();
        Assert.Equal(
            _bad.Services.Count<CreateSessionRequest>() - 1, _bad.Services.Count<CloseSessionRequest>());
    }

    private static UpstreamOptions Options(string name, string url) => new()
    {
        Name = name,
        EndpointUrl = url,
        SecurityPolicy = "None",
        Events = false,
    };

    private async Task AssertOnlyItSuffersAsync()
    {
        var reading = ReadAsync("urn:bad");
        Assert.Equal(StatusCode.Good, (await ReadAsync("urn:good")).Status);
        Assert.True((await reading).Status.IsBad);
        Assert.Equal(StatusCode.Good, (await ReadAsync("urn:good")).Status);
    }

    private Task UntilGoodAsync() => Eventually(async () => (await ReadAsync("urn:bad")).Status.IsGood);

    private static async Task Eventually(Func<Task<bool>> holds)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(50));
        while (!await holds())
            await look.WaitForNextTickAsync(patience.Token);
    }

    private NodeHandle Find(string uri)
    {
        Assert.True(_bench.Nodes.Namespaces.TryGetIndex(uri, out var index));
        return _bench.Nodes.Find(new NodeId("Speed", index));
    }

    private async Task<DataValue> ReadAsync(string uri)
    {
        var node = Find(uri);
        var results = new DataValue[1];
        await ((INodeSource)_bench.Nodes.SourceOf(node)!).ReadAsync(new[] { node }, 0, results, default)
            .AsTask().WaitAsync(Patience.Limit);
        return results[0];
    }

    private void AssertOneSession() => Assert.Equal(1, _bad.Services.Count<CreateSessionRequest>());

    private sealed class OneNodeScript(string uri) : HostileScript
    {
        private static readonly NodeId Speed = new("Speed", 1);

        /// <summary>Requests without an answer, by their encoding.</summary>
        public Func<uint, bool> Silent { get; set; } = static _ => false;

        public override bool IsAnswered(uint typeId) => !Silent(typeId);

        public override BrowseResult Browse(BrowseDescription browse) => new()
        {
            References = browse.NodeId != new NodeId(StandardIds.Objects.ObjectsFolder) ? null :
            [
                new ReferenceDescription
                {
                    ReferenceTypeId = new NodeId(StandardIds.ReferenceTypes.HasComponent),
                    IsForward = true,
                    NodeId = Speed,
                    BrowseName = new QualifiedName("Speed", 1),
                    DisplayName = new LocalizedText("Speed"),
                    NodeClass = NodeClass.Variable,
                    TypeDefinition = new NodeId(StandardIds.VariableTypes.BaseDataVariableType),
                },
            ],
        };

        public override DataValue Read(ReadValueId read) => (read.NodeId, (AttributeId)read.AttributeId) switch
        {
            _ when read.NodeId == new NodeId(StandardIds.Variables.Server_NamespaceArray) => new DataValue(
                Variant.FromArray(BuiltInType.String, new[] { "http://opcfoundation.org/UA/", uri })),
            (_, AttributeId.Value) when read.NodeId == Speed => new DataValue(new Variant(42.0)),
            (_, AttributeId.DataType) when read.NodeId == Speed => new DataValue(new Variant(new NodeId(11))),
            (_, AttributeId.UserAccessLevel) when read.NodeId == Speed => new DataValue(new Variant((byte)1)),
            _ => base.Read(read),
        };
    }
}
