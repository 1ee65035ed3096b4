using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Loadtest.Machine;
using Gateway.PubSub;
using Gateway.PubSub.Options;
using Gateway.PubSub.States;
using Gateway.Testing;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Management;

/// <summary>Other options are taken over while values change, and nothing is lost. The broker is away: its store shows
/// afterwards what a subscriber would get.</summary>
public sealed class PubSubChangeTests : IDisposable
{
    private const string Counter = "Int32";
    private const int PerStep = 20;

    private readonly string _folder = Directory.CreateTempSubdirectory("gateway-").FullName;
    private int _count;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task Apply_WhileValuesChange_NoneIsLostAndNumbersGoOn()
    {
        await using (var gateway = await StartAsync())
        {
            var service = gateway.Host.Get<PubSubService>();
            await CountAsync(gateway, PerStep);

            // The changed group, the data set, another address, a group more, and one less.
            await ChangeAsync(gateway, WithGroup(service.Options, "changed", static one => one with
            {
                PublishingIntervalMs = 20,
                Encoding = "json-compact",
            }));
            await ChangeAsync(gateway, service.Options with
            {
                DataSets =
                [
                    service.Options.DataSets[0],
                    service.Options.DataSets[1] with { Nodes = [$"ns=2;s={Counter}", "ns=2;s=Int16"] },
                ],
            });
            await ChangeAsync(gateway, With(service.Options, static one => one with
            {
                Address = "mqtt://127.0.0.1:2",
            }));
            var more = With(service.Options, static one => one with
            {
                WriterGroups = [.. one.WriterGroups, Group("more", 3, "kept")],
            });
            await ChangeAsync(gateway, more);
            await ChangeAsync(gateway, With(more, static one => one with
            {
                WriterGroups = [.. one.WriterGroups.Take(2)],
            }));
            await gateway.Host.StopAsync();
        }

        var frames = await StoredFrames.ReadAsync(_folder);
        AssertAll(FramesOf(frames, "kept"));
        AssertAll(FramesOf(frames, "changed"));
        Assert.NotEmpty(FramesOf(frames, "more"));
    }

    [Fact]
    public async Task Apply_AnotherGroupChanges_GroupGoesOnUntouched()
    {
        await using (var gateway = await StartAsync())
        {
            var service = gateway.Host.Get<PubSubService>();
            await CountAsync(gateway, PerStep);
            await ChangeAsync(gateway, WithGroup(service.Options, "changed", static one => one with
            {
                Batched = true,
            }));
            await gateway.Host.StopAsync();
        }

        // Key frames come by themselves, and repeat a value.
        var values = ValuesOf(FramesOf(await StoredFrames.ReadAsync(_folder), "kept").Where(
            static one => one.GetProperty("MessageType").GetString() == "ua-deltaframe")).ToList();
        Assert.Equal(values.Distinct(), values);
    }

    [Fact]
    public async Task Apply_StoreCannotBeUsed_ConnectionStaysAsItWasAndSaysWhy()
    {
        await using var gateway = await StartAsync();
        var service = gateway.Host.Get<PubSubService>();
        var file = Path.Combine(_folder, "file");
        await File.WriteAllTextAsync(file, "");

        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => service.ApplyAsync(
            With(service.Options, one => one with { StorePath = Path.Combine(file, "store") }), default));

        Assert.StartsWith("PubSub:Connections:0:StorePath: ", error.Message, StringComparison.Ordinal);
        var before = gateway.Host.Get<PubSubService>().ReadConnections()[0].Groups[0].Values;
        await CountAsync(gateway, PerStep);
        Assert.True(service.ReadConnections()[0].Groups[0].Values > before);
    }

    /// <summary>A disk that is away for a moment must not end a connection for good.</summary>
    [Fact]
    public async Task Apply_NeitherTheNewStoreNorTheOldOneCanBeOpened_TheNextChangeBringsTheConnectionBack()
    {
        await using var gateway = await StartAsync();
        var service = gateway.Host.Get<PubSubService>();
        var before = service.Options;
        var away = _folder + ".away";
        Directory.Move(_folder, away);
        await File.WriteAllTextAsync(_folder, "");

        await Assert.ThrowsAsync<InvalidOperationException>(() => service.ApplyAsync(
            With(before, static one => one with { StoreMaxBytes = 64 << 20 }), default));
        Assert.Empty(service.ReadConnections()[0].Groups);

        File.Delete(_folder);
        Directory.Move(away, _folder);
        await service.ApplyAsync(before, default);
        Assert.Equal(2, service.ReadConnections()[0].Groups.Count);
        var values = service.ReadConnections()[0].Groups[0].Values;
        await CountAsync(gateway, PerStep);
        Assert.True(service.ReadConnections()[0].Groups[0].Values > values);
    }

    /// <summary>The old stream and the new one are there at once: one more than the limit.</summary>
    [Fact]
    public async Task Apply_TheEngineGivesNoStream_GroupStaysAsItWasAndSaysWhy()
    {
        await using var gateway = await StartAsync("--Limits:MaxSubscriptions=2");
        var service = gateway.Host.Get<PubSubService>();

        var error = await Assert.ThrowsAsync<InvalidOperationException>(() => service.ApplyAsync(
            WithGroup(service.Options, "changed", static one => one with { Batched = true }), default));

        Assert.StartsWith("PubSub:Connections:0:WriterGroups:1: ", error.Message, StringComparison.Ordinal);
        Assert.Equal(["kept", "changed"], service.ReadConnections()[0].Groups.Select(static one => one.Name));
        var before = service.ReadConnections()[0].Groups[1].Values;
        await CountAsync(gateway, PerStep);
        Assert.True(service.ReadConnections()[0].Groups[1].Values > before);
    }

    /// <summary>It goes on with its data sets, whose nodes come and go as those of all others.</summary>
    [Fact]
    public async Task Apply_ConnectionStaysAsItWas_ItsDataSetsAreStillFollowed()
    {
        await using var gateway = await StartAsync("--PubSub:DataSets:0:Nodes:1=ns=2;s=Late");
        var service = gateway.Host.Get<PubSubService>();
        var file = Path.Combine(_folder, "file");
        await File.WriteAllTextAsync(file, "");
        await Assert.ThrowsAsync<InvalidOperationException>(() => service.ApplyAsync(
            With(service.Options, one => one with { StorePath = Path.Combine(file, "store") }) with
            {
                DataSets = [service.Options.DataSets[0] with { KeyFrameCount = 3 }, service.Options.DataSets[1]],
            }, default));

        var (nodes, values) = (gateway.Host.Get<NodeTable>(), gateway.Host.Get<ValueStore>());
        var id = new NodeId("Late", 2);
        nodes.Apply(new NodeBatch().AddVariable(
            id, new QualifiedName("Late", 2), new VariableFacts(new NodeId((uint)BuiltInType.Int32)), null,
            new NodeId(StandardIds.Objects.ObjectsFolder)));

        using var patience = new CancellationTokenSource(Patience.Limit);
        while (!values.IsWatched(nodes.Find(id)))
        {
            patience.Token.ThrowIfCancellationRequested();
            await CountAsync(gateway, 1);
        }

        Assert.True(values.IsWatched(nodes.Find(id)));
    }

    [Fact]
    public async Task Apply_ReaderMovesToAnotherConnection_ItGoesOnThere()
    {
        await using var gateway = await StartAsync();
        var service = gateway.Host.Get<PubSubService>();
        var own = service.Options.Connections[0];
        int[] ports = [FreePort.Next(), FreePort.Next()];
        PubSubOptions Reading(string[] first, string[] second) => service.Options with
        {
            Connections = [own, Reader("first", ports[0], first), Reader("second", ports[1], second)],
        };
        string[] Readers() => [.. gateway.Host.Get<IReaderState>().ReadReaders()
            .Select(static one => $"{one.Connection}/{one.Name}").Order()];
        await service.ApplyAsync(Reading(["a"], ["b", "x"]), default);

        await service.ApplyAsync(Reading(["a", "x"], ["b"]), default);
        Assert.Equal(["first/a", "first/x", "second/b"], Readers());

        await service.ApplyAsync(Reading(["a"], ["b", "x"]), default);
        Assert.Equal(["first/a", "second/b", "second/x"], Readers());
    }

    /// <summary>A socket that is opened anew has lost what came meanwhile.</summary>
    [Fact]
    public async Task Apply_OtherReadersOfAConnection_TheWayInGoesOn()
    {
        await using var gateway = await StartAsync();
        var service = gateway.Host.Get<PubSubService>();
        var (own, port) = (service.Options.Connections[0], FreePort.Next());
        long Messages() => gateway.Host.Get<IReaderState>().ReadReaderConnections()[0].Messages;
        await service.ApplyAsync(
            service.Options with { Connections = [own, Reader("udp", port, "a", "b")] }, default);
        // Not connected: a refusal before the reader listens is none of its business.
        using var sender = new UdpClient();
        using var patience = new CancellationTokenSource(Patience.Limit);
        while (Messages() == 0)
            await sender.SendAsync(new byte[] { 1 }, new IPEndPoint(IPAddress.Loopback, port), patience.Token);

        await service.ApplyAsync(
            service.Options with
            {
                Connections = [own, Reader("udp", port, "a", "c") with { StoreMaxBytes = 64 << 20 }],
            }, default);

        Assert.True(Messages() > 0);
        Assert.Equal(
            ["a", "c"], gateway.Host.Get<IReaderState>().ReadReaders().Select(static one => one.Name));
    }

    [Fact]
    public async Task Apply_WrongOptions_NothingChanges()
    {
        await using var gateway = await StartAsync();
        var service = gateway.Host.Get<PubSubService>();

        await Assert.ThrowsAsync<ArgumentException>(() => service.ApplyAsync(
            With(service.Options, static one => one with { Qos = 7 }), default));

        Assert.Equal(2, service.ReadConnections()[0].Groups.Count);
    }

    [Fact]
    public async Task Apply_ConnectionGoes_ItsLastChangesAreStored()
    {
        await using var gateway = await StartAsync();
        var service = gateway.Host.Get<PubSubService>();
        await CountAsync(gateway, PerStep);

        await service.ApplyAsync(service.Options with { Connections = [] }, default);

        Assert.Empty(service.ReadConnections());
        Assert.Equal(_count, ValuesOf(FramesOf(await StoredFrames.ReadAsync(_folder), "kept")).Last());
    }

    [Fact]
    public async Task Apply_ReadersComeAndGo_SoDoTheirNodes()
    {
        await using var gateway = await StartAsync();
        var service = gateway.Host.Get<PubSubService>();
        var nodes = gateway.Host.Get<NodeTable>();
        PubSubOptions Reading(params string[] names) => With(service.Options, one => one with
        {
            ReaderGroups =
            [
                .. names.Select(static (name, i) => new ReaderGroupOptions
                {
                    Name = name,
                    DataSetReaders = [new() { Name = name, PublisherId = "other", DataSetWriterId = i + 1 }],
                }),
            ],
        });
        bool IsThere(string name) => nodes.Namespaces.TryGetIndex("urn:gateway:pubsub:other", out var index) &&
            !nodes.Find(new NodeId(name, index)).IsNone;

        await service.ApplyAsync(Reading("a", "b"), default);
        Assert.True(IsThere("a") && IsThere("b"));

        await service.ApplyAsync(Reading("a"), default);
        Assert.True(IsThere("a") && !IsThere("b"));
        Assert.Equal(2, service.ReadConnections()[0].Groups.Count);
    }

    [Fact]
    public void NeedRestart_OtherPublisherId_IsNamed() => Assert.Equal(
        ["PubSub:PublisherId"], new PubSubOptions().NeedRestart(new PubSubOptions { PublisherId = "x" }, "PubSub"));

    private static WriterGroupOptions Group(string name, int id, string dataSet) => new()
    {
        Name = name,
        WriterGroupId = id,
        PublishingIntervalMs = 10,
        DataSetWriters = [new() { Name = name, DataSetWriterId = id, DataSet = dataSet }],
    };

    private static ConnectionOptions Reader(string name, int port, params string[] readers) => new()
    {
        Name = name,
        Address = $"opc.udp://127.0.0.1:{port}",
        ReaderGroups =
        [
            new()
            {
                Name = "in",
                Encoding = "uadp",
                DataSetReaders =
                [
                    .. readers.Select(static one => new DataSetReaderOptions
                    {
                        Name = one,
                        PublisherId = "other",
                        DataSetWriterId = one[0],
                    }),
                ],
            },
        ],
    };

    private static PubSubOptions With(PubSubOptions options, Func<ConnectionOptions, ConnectionOptions> change) =>
        options with { Connections = [change(options.Connections[0])] };

    private static PubSubOptions WithGroup(
        PubSubOptions options, string name, Func<WriterGroupOptions, WriterGroupOptions> change) => With(
            options, one => one with
            {
                WriterGroups = [.. one.WriterGroups.Select(group => group.Name == name ? change(group) : group)],
            });

    private static List<JsonElement> FramesOf(IEnumerable<JsonElement> messages, string group) =>
        [.. messages.Where(one => one.GetProperty("WriterGroupName").GetString() == group).SelectMany(
            static one => one.GetProperty("Messages") is { ValueKind: JsonValueKind.Array } all
                ? [.. all.EnumerateArray()]
                : new[] { one.GetProperty("Messages") })];

    private static IEnumerable<int> ValuesOf(IEnumerable<JsonElement> frames) => frames
        .Where(static one => one.TryGetProperty("Payload", out var payload) && payload.TryGetProperty(Counter, out _))
        .Select(static one => one.GetProperty("Payload").GetProperty(Counter))
        .Where(static field => field.TryGetProperty("Value", out _))
        .Select(static field => field.GetProperty("Value").GetInt32());

    /// <summary>Each number of a writer once; each count, at least once.</summary>
    private void AssertAll(List<JsonElement> frames)
    {
        var numbers = frames.Where(static one => one.GetProperty("MessageType").GetString() != "ua-keepalive")
            .Select(static one => one.GetProperty("SequenceNumber").GetUInt32()).ToList();
        Assert.Equal(Enumerable.Range(0, numbers.Count).Select(static number => (uint)number), numbers);
        Assert.Empty(Enumerable.Range(1, _count).Except(ValuesOf(frames)));
    }

    private async Task ChangeAsync(RestGateway gateway, PubSubOptions options)
    {
        var change = gateway.Host.Get<PubSubService>().ApplyAsync(options, default);
        do
            await CountAsync(gateway, 1);
        while (!change.IsCompleted);
        await change;
        await CountAsync(gateway, PerStep);
    }

    /// <summary>Each value is written before the next, so that few are in an interval.</summary>
    private async Task CountAsync(RestGateway gateway, int count)
    {
        for (var i = 0; i < count; i++)
        {
            gateway.Set(Counter, new Variant(++_count));
            await RestGateway.GetAsync(gateway.Observer, "/api/v1/pubsub");
        }
    }

    private Task<RestGateway> StartAsync(params string[] more)
    {
        var options = new List<string>
        {
            "--Simulator:ChangesPerSecond=0", "--PubSub:PublisherId=plant",
            $"--PubSub:VersionsPath={Path.Combine(_folder, "versions.json")}", "--Limits:MaxPubSubQueuedChanges=1000",
            "--PubSub:DataSets:0:Name=kept", $"--PubSub:DataSets:0:Nodes:0=ns=2;s={Counter}",
            "--PubSub:DataSets:1:Name=changed", $"--PubSub:DataSets:1:Nodes:0=ns=2;s={Counter}",
            "--PubSub:Connections:0:Name=broker", "--PubSub:Connections:0:Address=mqtt://127.0.0.1:1",
            $"--PubSub:Connections:0:StorePath={_folder}",
        };
        foreach (var (name, i) in new[] { ("kept", 0), ("changed", 1) })
        {
            var group = $"--PubSub:Connections:0:WriterGroups:{i}:";
            options.AddRange(
            [
                $"{group}Name={name}", $"{group}WriterGroupId={i + 1}", $"{group}PublishingIntervalMs=10",
                $"{group}DataSetWriters:0:Name={name}", $"{group}DataSetWriters:0:DataSetWriterId={i + 1}",
                $"{group}DataSetWriters:0:DataSet={name}",
            ]);
        }

        return RestGateway.StartAsync([.. options, .. more]);
    }
}
