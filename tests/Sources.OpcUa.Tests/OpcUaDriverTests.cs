using System.Net.Sockets;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Peers.Hostile;
using Gateway.Sources.OpcUa.Reverse;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Sources.Upstreams;
using Gateway.Transport.Security;
using IPAddress = System.Net.IPAddress;
using IPEndPoint = System.Net.IPEndPoint;

namespace Gateway.Sources.OpcUa.Tests;

/// <summary>The driver with real connections to servers on loopback.</summary>
public sealed class OpcUaDriverTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Insecure = 5010;
    private const int ConnectFailed = 5004;
    private const int Synchronized = 5002;
    private const int Disconnected = 5003;
    private const int ReverseUnknown = 5074;

    private readonly DriverBench _bench = new();

    public Task InitializeAsync() => Task.CompletedTask;

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    public ValueTask DisposeAsync() => _bench.DisposeAsync();

    [Fact]
    public async Task Start_ImpostorWithNoneAndAnEncryptedToken_NoPasswordNoNodesAndTold()
    {
        await using var impostor = await HostileServer.StartAsync(new NoneWithTokenScript());
        await using var driver = Driver(new UpstreamOptions
        {
            Name = "Press",
            EndpointUrl = impostor.Url,
            User = "joe",
            Password = "secret",
        });
        driver.Start();

        var line = await _bench.Log.NextAsync(ConnectFailed);

        Assert.Contains("SecurityPolicy=None", line, StringComparison.Ordinal);
        Assert.Empty(impostor.Services.Activations);
        Assert.Equal(SourceState.Faulted, Assert.Single(driver.Report()).State);
        Assert.DoesNotContain(_bench.Log.Texts, text => text.StartsWith("INSECURE", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Start_NoneConfigured_WarnedAtOnceAndServed()
    {
        await using var server = await HostileServer.StartAsync(new NoneWithTokenScript());
        await using var driver = Driver(new UpstreamOptions
        {
            Name = "Old",
            EndpointUrl = server.Url,
            SecurityPolicy = "None",
        });
        driver.Start();

        Assert.Contains("upstream Old", await _bench.Log.NextAsync(Insecure), StringComparison.Ordinal);
        await _bench.Log.NextAsync(Synchronized);
        Assert.Equal(
            MessageSecurityMode.None, Assert.IsType<UpstreamReport>(Assert.Single(driver.Report())).SecurityMode);
    }

    /// <summary>A controller that nobody can connect to: it opens one connection after the other.</summary>
    [Fact]
    public async Task ReverseConnect_ServerComesByItself_ServedByItsOwnConnections()
    {
        await using var server = await HostileServer.StartAsync(new NoneWithTokenScript());
        await using var driver = Driver(Behind("opc.tcp://behind.invalid:4840/press"));
        driver.Start();
        await using var firewall = new ReverseDialer(
            driver.ReverseEndPoint!, server.Url, "urn:hostile:server", "opc.tcp://behind.invalid:4840/press");

        await _bench.Log.NextAsync(Synchronized);

        Assert.Equal(1, server.Services.Count<CreateSessionRequest>());
        await Condition.UntilAsync(() => Assert.Single(driver.Report()).State == SourceState.Online);
    }

    [Fact]
    public async Task ReverseConnect_AnotherServerUri_IsRefusedAndTold()
    {
        await using var server = await HostileServer.StartAsync(new NoneWithTokenScript());
        await using var driver = Driver(Behind("opc.tcp://behind.invalid:4840", "urn:press"));
        driver.Start();
        await using var firewall = new ReverseDialer(
            driver.ReverseEndPoint!, server.Url, "urn:stranger", "opc.tcp://behind.invalid:4840");

        var line = await _bench.Log.NextAsync(ReverseUnknown);

        Assert.Contains("as urn:stranger with", line, StringComparison.Ordinal);
        Assert.Equal(0, server.Services.Count<CreateSessionRequest>());
    }

    /// <summary>Anybody can say a ServerUri.</summary>
    [Fact]
    public async Task ReverseConnect_SaysTheServerUriAndIsAnother_IsRefused()
    {
        await using var server = await HostileServer.StartAsync(new NoneWithTokenScript());
        await using var driver = Driver(Behind("opc.tcp://behind.invalid:4840", "urn:press"));
        driver.Start();
        await using var firewall = new ReverseDialer(
            driver.ReverseEndPoint!, server.Url, "urn:press", "opc.tcp://behind.invalid:4840");

        var line = await _bench.Log.NextAsync(ConnectFailed);

        Assert.Contains("and not urn:press", line, StringComparison.Ordinal);
        Assert.Contains("set ServerUri", line, StringComparison.Ordinal);
        Assert.Equal(0, server.Services.Count<CreateSessionRequest>());
        Assert.Equal(SourceState.Faulted, Assert.Single(driver.Report()).State);
    }

    /// <summary>Each server of a redundant set has an ApplicationUri of its own.</summary>
    [Fact]
    public async Task ReverseConnect_ServerUriWithABackup_TheBackupHasAnother()
    {
        await using var server = await HostileServer.StartAsync(new NoneWithTokenScript());
        await using var driver = Driver(new UpstreamOptions
        {
            Name = "Behind",
            EndpointUrl = "opc.tcp://first.invalid:4840",
            BackupUrls = ["opc.tcp://second.invalid:4840"],
            ReverseConnect = true,
            ServerUri = "urn:first",
            SecurityPolicy = "None",
        });
        driver.Start();
        await using var firewall = new ReverseDialer(
            driver.ReverseEndPoint!, server.Url, "urn:second", "opc.tcp://second.invalid:4840");

        await _bench.Log.NextAsync(Synchronized);

        Assert.Equal(1, server.Services.Count<CreateSessionRequest>());
    }

    /// <summary>The port was configured by a reload: nobody looks the host up meanwhile.</summary>
    [Fact]
    public async Task ReverseConnect_NobodyListens_NotConnectedToAndTheRemedyIsARestart()
    {
        await using var server = await HostileServer.StartAsync(new NoneWithTokenScript());
        await using var driver = _bench.Make(
        [
            Behind(server.Url),
        ]);
        driver.Start();

        var line = await _bench.Log.NextAsync(ConnectFailed);

        Assert.Contains("Restart the gateway", line, StringComparison.Ordinal);
        Assert.Equal(0, server.Services.Count<CreateSessionRequest>());
        Assert.Equal(SourceState.Faulted, Assert.Single(driver.Report()).State);
    }

    /// <summary>It stays for nobody.</summary>
    [Fact]
    public async Task Apply_AReverseUpstreamIsGone_ItsWaitingConnectionIsClosed()
    {
        await using var driver = Driver(new UpstreamOptions
        {
            Name = "Behind",
            EndpointUrl = "opc.tcp://behind.invalid:4840",
            ReverseConnect = true,
        });
        driver.Start();
        using var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await driver.ApplyAsync([]);
        await server.ConnectAsync(driver.ReverseEndPoint!);

        await server.SendAsync(ReverseDialer.Hello("urn:press", "opc.tcp://behind.invalid:4840"));

        Assert.Contains("behind.invalid", await _bench.Log.NextAsync(ReverseUnknown), StringComparison.Ordinal);
    }

    [Fact]
    public void ReverseConnect_PortInUse_SaysWhichKey()
    {
        using var other = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        other.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        other.Listen();

        var error = Assert.Throws<InvalidOperationException>(() => new ReverseConnections(
            new ReverseConnectOptions((IPEndPoint)other.LocalEndPoint!), TimeProvider.System, _bench.Log));

        Assert.StartsWith("ReverseConnect:Port", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task MaxUpstreamEndpoints_MoreThanThat_NotConnectedTo()
    {
        await using var server = await HostileServer.StartAsync(new NoneWithTokenScript());
        var options = new UpstreamOptions { Name = "Many", EndpointUrl = server.Url, SecurityPolicy = "None" };
        await using var driver = Driver(options, new UpstreamLimits { MaxUpstreamEndpoints = 1 });
        driver.Start();

        Assert.Contains("more endpoints", await _bench.Log.NextAsync(ConnectFailed), StringComparison.Ordinal);
        Assert.Equal(0, server.Services.Count<CreateSessionRequest>());
    }

    [Fact]
    public async Task UpstreamRequestTimeout_NoAnswerInThatTime_GivenUp()
    {
        using var silence = new ManualResetEventSlim();
        var script = new SilentScript(silence);
        await using var server = await HostileServer.StartAsync(script);
        var options = new UpstreamOptions { Name = "Slow", EndpointUrl = server.Url, SecurityPolicy = "None" };
        await using var driver = Driver(
            options, new UpstreamLimits { UpstreamRequestTimeout = TimeSpan.FromMilliseconds(100) });
        driver.Start();

        Assert.Contains("BadTimeout", await _bench.Log.NextAsync(ConnectFailed), StringComparison.Ordinal);
        silence.Set();
    }

    [Fact]
    public async Task MaxUpstreamNotifications_MessageWithMore_SessionEnds()
    {
        await using var server = await HostileServer.StartAsync(new ThreeNotificationsScript());
        var options = new UpstreamOptions { Name = "Loud", EndpointUrl = server.Url, SecurityPolicy = "None" };
        await using var driver = Driver(options, new UpstreamLimits { MaxUpstreamNotifications = 2 });
        driver.Start();

        Assert.Contains(
            nameof(UpstreamLimits.MaxUpstreamNotifications), await _bench.Log.NextAsync(Disconnected),
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task MaxUpstreamEmptyPublishes_AnswersWithoutWaiting_SessionEndsAndIsTold(bool isKeepAlive)
    {
        await using var server = await HostileServer.StartAsync(new SameMessageScript(isKeepAlive));
        var options = new UpstreamOptions { Name = "Again", EndpointUrl = server.Url, SecurityPolicy = "None" };
        await using var driver = Driver(options);
        driver.Start();

        Assert.Contains(
            nameof(UpstreamLimits.MaxUpstreamEmptyPublishes), await _bench.Log.NextAsync(Disconnected),
            StringComparison.Ordinal);
        var report = Assert.IsType<UpstreamReport>(Assert.Single(driver.Report()));
        Assert.Equal([(nameof(UpstreamBound.MaxUpstreamEmptyPublishes), 1L)], report.Bounds);
        Assert.Equal(SourceState.Faulted, report.State);
    }

    /// <summary>Nobody would ever end those that were made before it.</summary>
    [Fact]
    public async Task Apply_OneUpstreamCannotBeMade_NoneOfTheOthersStaysBehind()
    {
        UpstreamOptions Named(string name) => new() { Name = name, EndpointUrl = "opc.tcp://127.0.0.1:1" };
        await using var driver = Driver(Named("Old"));
        var index = _bench.Nodes.Namespaces.GetOrAdd(UpstreamRoots.NamespaceUri);
        _bench.Nodes.Apply(new NodeBatch().AddObject(
            new NodeId("Taken", index), new QualifiedName("Taken", index),
            new NodeId(StandardIds.Objects.ObjectsFolder)));

        await Assert.ThrowsAsync<ArgumentException>(
            () => driver.ApplyAsync([Named("Old"), Named("New"), Named("Taken")]));

        Assert.True(_bench.Nodes.Find(new NodeId("New", index)).IsNone);
        Assert.Equal(["Old"], driver.Report().Select(static one => one.Name));
        await driver.ApplyAsync([Named("Old"), Named("New")]);
        Assert.Equal(["Old", "New"], driver.Report().Select(static one => one.Name));
    }

    /// <summary>One that connects to the gateway, without security.</summary>
    private static UpstreamOptions Behind(string url, string serverUri = "") => new()
    {
        Name = "Behind",
        EndpointUrl = url,
        ReverseConnect = true,
        ServerUri = serverUri,
        SecurityPolicy = "None",
    };

    private OpcUaDriver Driver(UpstreamOptions options, UpstreamLimits? limits = null) => _bench.Make(
        [options], limits, options.ReverseConnect ? new IPEndPoint(IPAddress.Loopback, 0) : null);

    private sealed class SameMessageScript(bool isKeepAlive) : HostileScript
    {
        public override NotificationMessage? Publish() => new()
        {
            SequenceNumber = 1,
            PublishTime = DateTime.UnixEpoch,
            NotificationData = isKeepAlive ? null :
            [
                new ExtensionObject(new DataChangeNotification { MonitoredItems = new MonitoredItemNotification[1] }),
            ],
        };
    }

    private sealed class ThreeNotificationsScript : HostileScript
    {
        public override NotificationMessage? Publish() => new()
        {
            SequenceNumber = 1,
            PublishTime = DateTime.UnixEpoch,
            NotificationData =
            [
                new ExtensionObject(new DataChangeNotification { MonitoredItems = new MonitoredItemNotification[3] }),
            ],
        };
    }

    /// <summary>Says nothing until it may.</summary>
    private sealed class SilentScript(ManualResetEventSlim mayAnswer) : HostileScript
    {
        public override EndpointDescription[] Discover(string url, byte[] certificate)
        {
            mayAnswer.Wait(TimeSpan.FromMinutes(1));
            return base.Discover(url, certificate);
        }
    }

    private sealed class NoneWithTokenScript : HostileScript
    {
        public override EndpointDescription[] Discover(string url, byte[] certificate) =>
        [
            Endpoint(
                url, certificate, SecurityPolicies.None, Token(UserTokenType.Anonymous, ""),
                Token(UserTokenType.UserName, SecurityPolicies.Basic256Sha256.Uri)),
        ];
    }
}
