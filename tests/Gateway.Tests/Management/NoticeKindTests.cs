using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using Gateway.Admission;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Host.Overview;
using Gateway.PubSub.States;
using Gateway.Rest.Management;
using Gateway.Rest.Overview;
using Gateway.Sources;
using Gateway.Sources.Upstreams;
using Gateway.Store;
using Gateway.Testing;
using Gateway.Tests.Rest;
using Gateway.Transport.Certificates;
using Gateway.Transport.Certificates.Inventory;

namespace Gateway.Tests.Management;

/// <summary>Each kind of notice: when it comes, how bad it is, and what to do about it.</summary>
[Collection(RestFixture.Name)]
public sealed class NoticeKindTests(RestFixture fixture)
{
    [Theory]
    [InlineData(61, null)]
    [InlineData(20, false)]
    [InlineData(-1, true)]
    public void Certificate_AboutToEnd_IsToldWithWhatToDo(int days, bool? isFault)
    {
        var time = new ManualTimeProvider();
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=own", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddUri(new Uri("urn:own"));
        request.CertificateExtensions.Add(names.Build());
        using var certificate = new ApplicationCertificate(
            request.CreateSelfSigned(time.GetUtcNow().AddDays(-100), time.GetUtcNow().AddDays(days)));

        var notices = new CertificateNotices(new OwnCertificate(certificate), time).Read().ToList();

        if (isFault is null)
            Assert.Empty(notices);
        else
            AssertOne(notices, "certificate", isFault.Value, "own certificate", "signing request");
    }

    [Fact]
    public void PubSub_ConnectionAway_IsAFault()
    {
        var notices = OfPubSub(Connection(PubSubState.Error, null));

        AssertOne(notices, "pubsub", true, "has no connection: the broker", "Look at the broker");
        Assert.Equal("broker has no connection.", notices[0].PublicWords);
    }

    [Fact]
    public void PubSub_GroupWithoutAKey_SaysWhyItPublishesNothing()
    {
        var group = new GroupReport("g", "there is no key", "json", 100, 0, 0, 0, 0, 0, 0, 0, []);

        var notices = OfPubSub(Connection(PubSubState.Operational, null, group));

        AssertOne(notices, "pubsub", true, "g publishes nothing: there is no key", "KeysPath");
        Assert.Equal("g publishes nothing.", notices[0].PublicWords);
    }

    [Fact]
    public void PubSub_ReaderWithoutData_IsAFault()
    {
        var reader = new ReaderReport(
            "broker", "g", "r", "plant", 1, PubSubState.Error, null, 0, 0, 0, 0, 0, new Dictionary<string, long>());

        AssertOne(
            new PubSubNotices(new Publisher([]), new Readers([reader])).Read(), "pubsub", true, "gets no data",
            "Look at its publisher");
    }

    [Theory]
    [InlineData(79, null)]
    [InlineData(80, false)]
    [InlineData(100, true)]
    public void Store_ThatFills_IsToldBeforeItLoses(int stored, bool? isFault)
    {
        var notices = OfPubSub(Connection(PubSubState.Operational, Filled(stored)));

        if (isFault is null)
            Assert.Empty(notices);
        else
            AssertOne(notices, "store", isFault.Value, $"{stored} % full", "raise StoreMaxBytes");
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Disk_OfAStoreThatFails_SaysWhatToLookAt(bool isWriting, bool isFault)
    {
        var notices = OfPubSub(Connection(
            PubSubState.Operational, Filled(0) with { IsWriting = isWriting, LastError = "no space left" }));

        AssertOne(notices, "disk", isFault, "no space left", "Look at the disk");
        Assert.Equal("The store of broker has an error of its disk.", notices[0].PublicWords);
    }

    [Fact]
    public void Storm_RejectionsOfTheLastSample_IsAFault() => AssertOne(
        OfLoad(Sample(rejections: 20)), "storm", true, "20 are rejected in a second", "The page Admission");

    [Theory]
    [InlineData(250, false)]
    [InlineData(251, true)]
    public void Late_SweepOfTheLastSample_IsAWarning(double latenessMs, bool isTold)
    {
        var notices = OfLoad(Sample(latenessMs: latenessMs));

        if (isTold)
            AssertOne(notices, "late", false, "251 ms late", "processor time");
        else
            Assert.Empty(notices);
    }

    [Theory]
    [InlineData(89, null)]
    [InlineData(90, false)]
    [InlineData(100, true)]
    public void Limit_NearlyUsed_SaysWhenToRaiseIt(int use, bool? isFault)
    {
        var notices = OfLoad(Sample(), new LimitValue
        {
            Name = "MaxSessions",
            Configured = 100,
            InForce = 100,
            Default = 100,
            Origin = "default",
            Part = "server",
            Bounds = "sessions",
            WhenItActs = "refused",
            Remedy = "raise it",
            Use = use,
        });

        if (isFault is null)
            Assert.Empty(notices);
        else
            AssertOne(notices, "limit", isFault.Value, $"{use} of 100 are used: sessions", "raise it");
    }

    /// <summary>By a gateway whose sources are away and whose broker is not there.</summary>
    [Fact]
    public async Task Notices_OfARunningGateway_AreOnTheApiWithTheirRemedies()
    {
        await using var gateway = await RestGateway.StartAsync(
            [AwayDriver.Registration], "--PubSub:PublisherId=p", "--PubSub:DataSets:0:Name=d",
            "--PubSub:DataSets:0:Nodes:0=ns=2;i=1000", "--PubSub:Connections:0:Name=broker",
            "--PubSub:Connections:0:Address=mqtt://127.0.0.1:1", "--PubSub:Connections:0:WriterGroups:0:Name=g",
            "--PubSub:Connections:0:WriterGroups:0:WriterGroupId=1",
            "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:0:Name=w",
            "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:0:DataSetWriterId=1",
            "--PubSub:Connections:0:WriterGroups:0:DataSetWriters:0:DataSet=d");
        gateway.Host.Get<NoticeBoard>().Look();

        var (status, answer) = await RestGateway.GetAsync(gateway.Observer, "/api/v1/notices");

        Assert.Equal(200, status);
        var active = answer.GetProperty("active").EnumerateArray().ToList();
        var sources = active.Where(static one => TextOf(one, "kind") == "source").ToList();
        Assert.Equal(
            Enum.GetNames<SourceState>().Except(["Online", "Loading"]).Order(),
            sources.Select(static one => TextOf(one, "subject")).Order());
        Assert.All(sources, static one =>
        {
            Assert.Equal(AwayDriver.Advice, TextOf(one, "remedy"));
            Assert.Equal(TextOf(one, "subject") == "Limited" ? "warning" : "fault", TextOf(one, "severity"));
        });
        var broker = active.Single(static one => TextOf(one, "kind") == "pubsub");
        Assert.Equal("broker", TextOf(broker, "subject"));
        Assert.Contains("Look at the broker", TextOf(broker, "remedy"), StringComparison.Ordinal);
        Assert.All(active, one => Assert.Contains(
            answer.GetProperty("recent").EnumerateArray(), change => TextOf(change, "id") == TextOf(one, "id")));
    }

    /// <summary>An error of ours among them has its stack.</summary>
    [Theory]
    [InlineData(SourceState.Away, "Press is away")]
    [InlineData(SourceState.Faulted, "The gateway refuses Press")]
    public void Source_WithAnError_TellsItToOperatorsAlone(SourceState state, string words)
    {
        var notice = SourceNotices.Of(new SourceReport
        {
            Name = "Press",
            State = state,
            Since = DateTimeOffset.UnixEpoch,
            LastError = "at Some.Code()",
        });
        Assert.Equal((words + ": at Some.Code()", words + "."), (notice.Words, notice.PublicWords));
    }

    [Theory]
    [InlineData(DriftKind.Remapped, false)]
    [InlineData(DriftKind.Renamed, true)]
    public void Drift_OfAnUpstream_ListsWhatHasMoved(DriftKind kind, bool isFault)
    {
        var drift = new DriftReport
        {
            Since = DateTimeOffset.UnixEpoch,
            Counts = [(kind, 3)],
            Changes = [new DriftChange(kind, "nsu=urn:x;i=1", "Speed", "nsu=urn:x;i=2")],
        };

        var notice = DriftNotices.Of("Press", drift);
        AssertOne([notice], "drift", isFault, "nsu=urn:x;i=1: Speed -> nsu=urn:x;i=2", "accept");
        Assert.Equal("The model of Press has changed.", notice.PublicWords);
    }

    [Theory]
    [InlineData(84, null)]
    [InlineData(85, false)]
    [InlineData(95, true)]
    public void Memory_NearWhatTheProcessMayUse_IsTold(int used, bool? isFault)
    {
        const long Mebibyte = 1024 * 1024;
        var (near, far) = ((used * Mebibyte, 100 * Mebibyte), (50 * Mebibyte, 75 * Mebibyte));

        foreach (var notices in new[]
        {
            new MemoryNotices(() => near, () => far).Read(), new MemoryNotices(() => far, () => near).Read(),
        })
        {
            if (isFault is null)
                Assert.Empty(notices);
            else
                AssertOne(notices, "memory", isFault.Value, $"{used} MiB of the 100 MiB", "lower the limits");
        }
    }

    /// <summary>In a container of 100 MiB the heap may have 75: a process of 70 is near neither.</summary>
    [Fact]
    public void Memory_ProcessIsNearWhatTheHeapMayUse_IsNotTold()
    {
        const long Mebibyte = 1024 * 1024;

        Assert.Empty(new MemoryNotices(
            static () => (70 * Mebibyte, 100 * Mebibyte), static () => (40 * Mebibyte, 75 * Mebibyte)).Read());
        Assert.Empty(new MemoryNotices(static () => (70, 0), static () => (40, 0)).Read());
    }

    [Fact]
    public void Memory_OfThisProcess_BothAreKnown()
    {
        Assert.InRange(KernelMemory.Read("/"), 1, long.MaxValue - 1);
        Assert.All(new MemoryNotices().Read(), static one => Assert.Equal("memory", one.Kind));
    }

    /// <summary>A cut of a moment is no alarm, and one that is over none any more.</summary>
    [Fact]
    public void Overload_PaceIsCutForAMinute_IsToldUntilItIsBack()
    {
        var time = new ManualTimeProvider();
        var overload = new OverloadNotices(new Lazy<SourceDrivers>(), time);
        var slow = Loaded(new LoadReport { Profile = "generic", Pace = 0.35, LastCut = "Slow" });

        Assert.Empty(overload.Of([slow]));
        time.Advance(TimeSpan.FromSeconds(59));
        Assert.Empty(overload.Of([slow]));
        time.Advance(TimeSpan.FromSeconds(1));
        AssertOne(
            overload.Of([slow]), "overload", false, "Press gets 35 % of its budget: its answers were slow", "less");
        Assert.Empty(overload.Of([Loaded(new LoadReport { Profile = "generic", Pace = 0.5 })]));
        Assert.Empty(overload.Of([slow]));
    }

    [Fact]
    public void Overload_BudgetRefuses_IsToldForAMinute()
    {
        var time = new ManualTimeProvider();
        var overload = new OverloadNotices(new Lazy<SourceDrivers>(), time);
        var refusing = Loaded(new LoadReport
        {
            Profile = "generic",
            Pace = 1,
            LastRefusal = "MaxItems is 10",
            LastRefusalAt = time.GetUtcNow(),
        });

        AssertOne(overload.Of([refusing]), "overload", false, "refuses clients: MaxItems is 10", "Raise it");
        time.Advance(TimeSpan.FromMinutes(1));
        Assert.Empty(overload.Of([refusing]));
    }

    /// <summary>R28: it was told for an hour, and not at all.</summary>
    [Theory]
    [InlineData(-1)]
    [InlineData(1)]
    public void Overload_ClockJumpsBehindARefusal_IsToldForAMinute(int hours)
    {
        var time = new ManualTimeProvider();
        var overload = new OverloadNotices(new Lazy<SourceDrivers>(), time);
        var refusing = Loaded(new LoadReport
        {
            Profile = "generic",
            Pace = 1,
            LastRefusal = "MaxItems is 10",
            LastRefusalAt = time.GetUtcNow(),
        });
        Assert.Single(overload.Of([refusing]));

        time.MoveWallClock(TimeSpan.FromHours(hours));
        time.Advance(TimeSpan.FromSeconds(59));
        Assert.Single(overload.Of([refusing]));
        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Empty(overload.Of([refusing]));
        Assert.Empty(overload.Of([]));
    }

    /// <summary>The file is there before the first look; one that comes later is seen a quarter of an hour later.
    /// </summary>
    [Theory]
    [InlineData(61, null)]
    [InlineData(20, false)]
    [InlineData(-1, true)]
    public void Trust_CertificateAboutToEnd_IsTold(int days, bool? isFault)
    {
        var notices = OfTrust("trusted", "CN=press", days);

        if (isFault is null)
        {
            Assert.Empty(notices);
            return;
        }

        AssertOne(notices, "trust", isFault.Value, "CN=press in trusted", "trust it on the page");
        AssertForEverybody(notices[0], "trusted", "press");
    }

    /// <summary>Alarms are for many more than those who may list the users' certificates (R36).</summary>
    [Fact]
    public void Trust_CertificateOfAUser_IsToldWithoutItsName()
    {
        var notices = OfTrust("trustedUser", "CN=Jane Doe", days: 20);

        AssertOne(notices, "trust", isFault: false, "The certificate of a user in trustedUser ends", "Get the new");
        AssertForEverybody(notices[0], "trustedUser", "Jane");
    }

    private static void AssertForEverybody(Notice notice, string store, string name)
    {
        var words = notice.PublicWords;
        Assert.StartsWith($"A certificate in {store} with the thumbprint {notice.Subject} ", words);
        Assert.DoesNotContain(name, words);
    }

    private List<Notice> OfTrust(string store, string subject, int days)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest(subject, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var now = TimeProvider.System.GetUtcNow();
        using var certificate = request.CreateSelfSigned(now.AddDays(-100), now.AddDays(days));
        var inventory = fixture.Gateway.Host.Get<CertificateInventory>();
        var folder = fixture.Gateway.Host.Get<PkiStore>().Root;
        var path = Path.Combine(folder, store, "certs", $"notice{days}.der");
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, certificate.RawData);
        try
        {
            return
            [
                .. new TrustNotices(inventory, TimeProvider.System).Read()
                    .Where(one => one.Subject == certificate.Thumbprint),
            ];
        }
        finally
        {
            File.Delete(path);
        }
    }

    private static UpstreamReport Loaded(LoadReport load) => new()
    {
        Name = "Press",
        Driver = "opcua",
        EndpointUrl = "opc.tcp://press:4840",
        SecurityMode = MessageSecurityMode.None,
        State = SourceState.Online,
        Since = DateTimeOffset.UnixEpoch,
        Counts = new UpstreamCounts(),
        Load = load,
    };

    private static string? TextOf(JsonElement of, string name) => of.GetProperty(name).GetString();

    private static void AssertOne(
        IEnumerable<Notice> notices, string kind, bool isFault, string words, string remedy)
    {
        var one = Assert.Single(notices);
        Assert.Equal((kind, isFault), (one.Kind, one.IsFault));
        Assert.Contains(words, one.Words, StringComparison.Ordinal);
        Assert.Contains(remedy, one.Remedy, StringComparison.Ordinal);
    }

    private static List<Notice> OfPubSub(ConnectionReport connection) =>
        [.. new PubSubNotices(new Publisher([connection]), new Readers([])).Read()];

    private List<Notice> OfLoad(OverviewSample sample, params LimitValue[] limits) =>
    [
        .. new LoadNotices(
            fixture.Gateway.Host.Get<AdmissionControl>(), new History(sample), new Facts(limits)).Read(),
    ];

    private static ConnectionReport Connection(PubSubState state, StoreState? store, params GroupReport[] groups) =>
        new("broker", "mqtt://broker", state, "the broker is away", groups, 0, store, []);

    private static StoreState Filled(long stored) => new()
    {
        StoredBytes = stored,
        MaxBytes = 100,
        UnwrittenBytes = 0,
        Records = 0,
        Outstanding = 0,
        OldestTime = null,
        RecordsInPerSecond = 0,
        RecordsOutPerSecond = 0,
        GrowthBytesPerSecond = 0,
        UntilFull = null,
        Appended = 0,
        Acknowledged = 0,
        Lost = 0,
        Gaps = 0,
        IsWriting = true,
        DiskErrors = 0,
        LastError = null,
        LastErrorTime = null,
    };

    private static OverviewSample Sample(double rejections = 0, double latenessMs = 0) => new()
    {
        Sequence = 1,
        At = DateTime.UnixEpoch,
        RejectionsPerSecond = rejections,
        LatenessMs = latenessMs,
    };

    private sealed class Publisher(IReadOnlyList<ConnectionReport> connections) : IPubSubState
    {
        public string PublisherId => "p";

        public IReadOnlyList<ConnectionReport> ReadConnections(bool explainsGaps) => connections;

        public IReadOnlyList<DataSetReport> ReadDataSets() => [];

        public IReadOnlyCollection<string> FindDataSets(NodeId node) => [];
    }

    private sealed class Readers(IReadOnlyList<ReaderReport> readers) : IReaderState
    {
        public IReadOnlyList<ReaderReport> ReadReaders() => readers;

        public IReadOnlyList<ReaderConnectionReport> ReadReaderConnections() => [];
    }

    private sealed class History(OverviewSample sample) : IOverviewHistory
    {
        public TimeSpan Interval => TimeSpan.FromSeconds(2);

        public IReadOnlyList<OverviewSample> Read(long after) => [sample];
    }

    private sealed class Facts(IReadOnlyList<LimitValue> limits) : IGatewayFacts
    {
        public GatewayInfo Info => throw new NotSupportedException();

        public bool IsDemo => false;

        public IReadOnlyList<ConfigurationValue> Configuration => [];

        public IReadOnlyList<LimitValue> ReadLimits() => limits;
    }
}
