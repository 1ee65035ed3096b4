using System.Globalization;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Publish.Durable;
using Gateway.Publish.Items;
using Gateway.Publish.Subscriptions;
using Gateway.Publish.Tests.Support;
using Gateway.Store.Tests;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Publish.Tests.Durable;

/// <summary>A plant whose durable subscriptions lie on a disk in memory. The next process is another plant on what that
/// disk has.</summary>
internal sealed class DurablePlant : IAsyncDisposable
{
    public static readonly SessionOwner Alice = new("UserName:alice", false, "urn:a", true)
    {
        Certificate = "A1",
        Address = "10.0.0.1",
    };

    private readonly PublishLimits _limits;

    public DurablePlant(
        MemoryFiles? disk = null, PublishLimits? limits = null, int tags = 10, bool isOpen = true,
        TimeSpan downtime = default)
    {
        _limits = limits ?? PublishLimits.Default;
        Disk = disk ?? new MemoryFiles();
        Plant = new PublishFixture(tags, _limits, shards: 2);
        Plant.Time.MoveWallClock(downtime);
        // In the next process no source has said anything yet.
        for (var i = 1u; disk is null && i <= tags; i++)
            Plant.Set(i, 0);
        Saver = new DurableSubscriptions(
            Plant.Engine, Plant.Nodes, Plant.Store, new DurableOptions { Path = "disk" }, Plant.Time,
            NullLogger.Instance, _ => Disk);
        if (isOpen)
            Saver.Save();
    }

    public MemoryFiles Disk { get; }

    public PublishFixture Plant { get; }

    public DurableSubscriptions Saver { get; }

    public DurableBook Book => Plant.Engine.Durable;

    /// <summary>A subscription without items, set durable.</summary>
    public uint Subscribe(TestClient client, uint hours = 1, uint keepAlive = 3)
    {
        var subscription = client.Subscribe(keepAlive: keepAlive);
        Assert.Equal(StatusCode.Good, client.Session.SetSubscriptionDurable(subscription, hours, out _));
        return subscription;
    }

    public Subscription Find(uint subscription) => Plant.Engine.Subscriptions.Find(subscription)!;

    /// <summary>The process is killed: the next one has what the disk has now.</summary>
    public DurablePlant Next(PublishLimits? limits = null, int tags = 10, TimeSpan downtime = default) =>
        new(Disk.Copy(), limits ?? _limits, tags, downtime: downtime);

    /// <summary>The process ends in order, and the next one starts.</summary>
    public async Task<DurablePlant> RestartAsync(int tags = 10, TimeSpan downtime = default)
    {
        await Saver.DisposeAsync();
        return Next(tags: tags, downtime: downtime);
    }

    /// <summary>What comes with the next messages, as values by client handle, in order.</summary>
    public List<(uint Handle, double Value, bool IsOverflow)> Drain(TestClient client, int publishes = 20)
    {
        for (var i = 0; i < publishes; i++)
            client.Publish();
        Plant.Advance(100);
        return
        [
            .. client.All().SelectMany(static answer => answer.Changes).Select(static change => (
                change.ClientHandle, change.Value.Value.AsDouble(),
                (change.Value.Status.Code & 0x480) == 0x480)),
        ];
    }

    /// <summary>All that has to be the same in the next process.</summary>
    public string Describe(uint id)
    {
        var subscription = Find(id);
        var lines = new List<string>();
        for (var i = 0; i < subscription.Retransmission.Count; i++)
        {
            var sequenceNumber = subscription.Retransmission.SequenceNumberAt(i);
            Assert.True(subscription.Retransmission.TryGet(sequenceNumber, out var message));
            lines.Add($"message {sequenceNumber}: {Convert.ToHexString(message)}");
        }

        foreach (var item in subscription.Items)
            lines.Add(Describe(item));
        lines.Sort(StringComparer.Ordinal);
        return string.Create(CultureInfo.InvariantCulture, $"""
            {subscription.Times} {subscription.MaxNotificationsPerPublish} {subscription.Priority}
            {subscription.PublishingEnabled} {subscription.LastItemId} {subscription.QueueCapacity}
            {string.Join('\n', lines)}
            """);
    }

    public async ValueTask DisposeAsync()
    {
        await Saver.DisposeAsync();
        await Plant.DisposeAsync();
    }

    private string Describe(MonitoredItem item)
    {
        var entries = Enumerable.Range(0, item.Queue.Count).Select(item.Queue.At)
            .Select(static entry => $"{Describe(entry.Value)} {entry.Bits}");
        var triggered = item.ExtrasOrNull?.Triggered?.Select(static one => one.Id).Order() ?? Enumerable.Empty<uint>();
        return string.Create(CultureInfo.InvariantCulture, $"""
            item {item.Id}: {NodeIdText.Format(Plant.Nodes.GetNodeId(item.Node))} {item.ClientHandle} {item.Attribute}
            {item.Mode} {item.Timestamps} {item.DiscardOldest} {item.Queue.Size} {item.SamplingTicks} {item.Condition}
            {item.ExtrasOrNull?.PercentDeadband} {item.ExtrasOrNull?.Range} [{string.Join(',', triggered)}]
            {(item.Last is null ? "none" : Describe(item.Last))} | {string.Join(", ", entries)}
            """).ReplaceLineEndings(" ");
    }

    private static string Describe(SharedValue value) =>
        $"{Convert.ToHexString(value.EncodedVariant)} {value.Status} {value.SourceTimestamp:O} "
        + $"{value.ServerTimestamp:O} {value.SourcePicoseconds}";
}
