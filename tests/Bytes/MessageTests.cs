using System.Buffers.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Testing.Loopback;
using Gateway.Transport.Security;
using Xunit.Abstractions;

namespace Gateway.Bytes;

/// <summary>A request from its sealed bytes to the sealed bytes of its answer, in the steady state, on one thread: the
/// client allocates nothing, so the thread's bytes are the server's.</summary>
public sealed class MessageTests(ITestOutputHelper output) : IAsyncLifetime
{
    private const int PublishingIntervalMs = 100;

    private const int Messages = 1000;

    /// <summary>Of all data that go through the gateway: docs/performance.md#budgets.</summary>
    private const int MostBytesAMessage = 200;

    private MemoryServer _server = null!;

    public static TheoryData<string, MessageSecurityMode> Policies => new()
    {
        { "None", MessageSecurityMode.None },
        { "Basic256Sha256", MessageSecurityMode.Sign },
        { "Basic256Sha256", MessageSecurityMode.SignAndEncrypt },
        { "Aes256_Sha256_RsaPss", MessageSecurityMode.SignAndEncrypt },
    };

    public Task InitializeAsync()
    {
        _server = MemoryServer.Start();
        return Task.CompletedTask;
    }

    public Task DisposeAsync() => _server.DisposeAsync().AsTask();

    [Theory]
    [MemberData(nameof(Policies))]
    public void Read_SteadyState_AllocatesAtMost200BytesAMessage(string policy, MessageSecurityMode mode)
    {
        using var client = Connect(policy, mode);
        var read = client.Encode(new ReadRequest
        {
            NodesToRead = [.. Enumerable.Range(1, 10).Select(
                i => new ReadValueId { NodeId = new NodeId((uint)i, 1), AttributeId = (uint)AttributeId.Value })],
        });
        Assert.Equal(10, WireClient.Decoded<ReadResponse>(client.Exchange(read)).Results!.Length);

        var bytes = Allocations.OfThousand(() => client.Exchange(read)) / 1000.0;

        output.WriteLine($"{policy} {mode}: {bytes} B a Read of ten values");
        Assert.InRange(bytes, 0, MostBytesAMessage);
    }

    [Theory]
    [MemberData(nameof(Policies))]
    public void Write_SteadyState_AllocatesAtMost200BytesAMessage(string policy, MessageSecurityMode mode)
    {
        using var client = Connect(policy, mode);
        var write = client.Encode(new WriteRequest
        {
            NodesToWrite = [new WriteValue
            {
                NodeId = new NodeId(1, 1),
                AttributeId = (uint)AttributeId.Value,
                Value = new DataValue(new Variant(1.5)),
            }],
        });
        Assert.Equal(StatusCode.Good, WireClient.Decoded<WriteResponse>(client.Exchange(write)).Results!.Single());

        var bytes = Allocations.OfThousand(() => client.Exchange(write)) / 1000.0;

        output.WriteLine($"{policy} {mode}: {bytes} B a Write of one value");
        Assert.InRange(bytes, 0, MostBytesAMessage);
    }

    [Theory]
    [MemberData(nameof(Policies))]
    public void Publish_SteadyState_AllocatesNothingANotification(string policy, MessageSecurityMode mode)
    {
        var few = PublishBytes(policy, mode, 1);
        var many = PublishBytes(policy, mode, LoopbackParts.TagCount);

        output.WriteLine($"{policy} {mode}: {few} B a message of one, {many} B a message of {LoopbackParts.TagCount}");
        Assert.InRange(few, 0, MostBytesAMessage);
        Assert.InRange(many - few, double.MinValue, 1);
    }

    private double PublishBytes(string policy, MessageSecurityMode mode, int items)
    {
        using var client = Connect(policy, mode);
        var subscription = Subscribe(client, items);
        var publish = client.Encode(new PublishRequest
        {
            SubscriptionAcknowledgements = [new() { SubscriptionId = subscription, SequenceNumber = 0 }],
        });
        var sequenceNumber = 0u;
        var value = 0.0;
        var clock = 0L;
        client.Send(publish);
        Cycle();
        var first = WireClient.Decoded<PublishResponse>(client.Receive()).NotificationMessage.NotificationData![0];
        Assert.Equal(items, Assert.IsType<DataChangeNotification>(first.Body).MonitoredItems!.Length);
        return Allocations.Least(Rounds) / (double)Messages;

        long Rounds()
        {
            clock = 0;
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < Messages; i++)
                Round();
            return GC.GetAllocatedBytesForCurrentThread() - before - clock;
        }

        void Round()
        {
            BinaryPrimitives.WriteUInt32LittleEndian(publish.AsSpan(publish.Length - 4), ++sequenceNumber);
            client.Send(publish);
            Cycle();
            client.Receive();
        }

        void Cycle()
        {
            value++;
            foreach (var tag in _server.Parts.Tags.AsSpan(0, items))
                _server.Parts.Values.Set(tag, new DataValue(new Variant(value)));
            var before = GC.GetAllocatedBytesForCurrentThread();
            _server.Time.Advance(PublishingIntervalMs);
            clock += GC.GetAllocatedBytesForCurrentThread() - before;
            _server.Parts.Publishing.Shards[0].RunOnce();
        }
    }

    private static uint Subscribe(WireClient client, int items)
    {
        var subscription = client.Call<CreateSubscriptionRequest, CreateSubscriptionResponse>(new()
        {
            RequestedPublishingInterval = PublishingIntervalMs,
            RequestedLifetimeCount = 10_000,
            RequestedMaxKeepAliveCount = 1_000,
            PublishingEnabled = true,
        }).SubscriptionId;
        client.Call<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(new()
        {
            SubscriptionId = subscription,
            TimestampsToReturn = TimestampsToReturn.Both,
            ItemsToCreate = [.. Enumerable.Range(1, items).Select(i => new MonitoredItemCreateRequest
            {
                ItemToMonitor = new ReadValueId
                {
                    NodeId = new NodeId((uint)i, 1),
                    AttributeId = (uint)AttributeId.Value,
                },
                MonitoringMode = MonitoringMode.Reporting,
                RequestedParameters = new MonitoringParameters { ClientHandle = (uint)i, QueueSize = 1 },
            })],
        });
        return subscription;
    }

    private WireClient Connect(string policyName, MessageSecurityMode mode)
    {
        SecurityPolicies.TryGetByName(policyName, out var policy);
        var client = _server.Connect();
        client.Open(policy!, mode);
        client.CreateSession();
        client.Activate();
        return client;
    }
}
