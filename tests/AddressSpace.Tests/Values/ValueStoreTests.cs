using System.Collections.Concurrent;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Testing;

namespace Gateway.AddressSpace.Tests.Values;

public sealed class ValueStoreTests
{
    private static readonly NodeHandle Node = new(1);

    private readonly ValueStore _store = new(TimeProvider.System);

    private static DataValue Number(double value) => new(new Variant(value));

    [Fact]
    public void Read_NothingSet_IsWaitingForInitialData()
    {
        Assert.Equal(StatusCodes.BadWaitingForInitialData, _store.Read(new NodeHandle(70_000)).Status.Code);
        Assert.Null(_store.Acquire(Node));
        Assert.False(_store.Contains(Node));
    }

    [Fact]
    public void Set_EveryShape_ReadsBackTheSame()
    {
        var time = new DateTime(2026, 3, 4, 5, 6, 7, DateTimeKind.Utc);
        Variant[] values =
        [
            default, new(true), new(-1.5), new(ulong.MaxValue), new("a string that is longer than the inline bytes"),
            Variant.FromArray(BuiltInType.Int32, Enumerable.Range(0, 1000).ToArray()), new(new NodeId("x", 2)), new(3),
        ];
        foreach (var value in values)
        {
            var written = new DataValue(value, StatusCodes.UncertainInitialValue, time, time.AddSeconds(1), 7);
            _store.Set(Node, written);
            Assert.Equal(written, _store.Read(Node));
        }

    }

    [Fact]
    public void Set_NoServerTimestamp_IsStamped()
    {
        _store.Set(Node, Number(1));
        Assert.NotEqual(default, _store.Read(Node).ServerTimestamp);
        Assert.Equal(default, _store.Read(Node).SourceTimestamp);
    }

    [Fact]
    public void SetEncoded_BytesPassThrough_NumberIsKnown()
    {
        byte[] encoded = [(byte)BuiltInType.Int16, 0xFE, 0xFF];
        _store.SetEncoded(Node, encoded, StatusCode.Good, default, default);
        var value = _store.Acquire(Node)!;
        Assert.Equal(encoded, value.EncodedVariant.ToArray());
        Assert.Equal(-2, value.Numeric);
        Assert.Equal(BuiltInType.Int16, value.Type);
        value.Release();
        _store.SetEncoded(Node, [12, 255], StatusCode.Good, default, default);
        Assert.Equal(StatusCodes.BadDecodingError, _store.Read(Node).Status.Code);
    }

    [Theory]
    [InlineData(WireTimestamps.Neither, false)]
    [InlineData(WireTimestamps.Source, true)]
    [InlineData(WireTimestamps.Server, false)]
    [InlineData(WireTimestamps.Both, true)]
    public void WriteDataValue_MaskAndOverflow_DecodeAgain(WireTimestamps timestamps, bool overflow)
    {
        var time = new DateTime(2026, 3, 4, 5, 6, 7, DateTimeKind.Utc);
        _store.Set(Node, new DataValue(new Variant(5), StatusCode.Good, time, time.AddSeconds(1), 9));
        var value = _store.Acquire(Node)!;
        var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        value.WriteDataValue(
            ref writer, timestamps, overflow ? NotificationBits.Overflow : NotificationBits.None);
        writer.Complete();
        Assert.True(buffer.Length <= value.MaximumSizeBytes);
        var reader = new UaBinaryReader(buffer.WrittenSpan);
        var read = reader.ReadDataValue();
        Assert.False(reader.Failed);
        Assert.Equal(new Variant(5), read.Value);
        Assert.Equal(overflow ? 0x480u : 0u, read.Status.Code);
        var (source, server) = ((timestamps & WireTimestamps.Source) != 0, (timestamps & WireTimestamps.Server) != 0);
        Assert.Equal((source ? time : default, source ? 9 : 0), (read.SourceTimestamp, read.SourcePicoseconds));
        Assert.Equal(server ? time.AddSeconds(1) : default, read.ServerTimestamp);
        value.Release();
    }

    [Fact]
    public void Set_SteadyState_AllocatesNothing()
    {
        var inbox = _store.OpenInbox(1000, static () => { });
        _store.Attach(Node, inbox.Shard);
        var number = 0;

        Assert.Equal(0, Allocations.OfThousand(Change));
        Assert.True(_store.CreatedValues < 10);

        void Change()
        {
            number++;
            _store.Set(Node, Number(number));
            var batch = _store.BeginBatch();
            batch.Set(Node, Number(-number));
            batch.SetEncoded(new NodeHandle(2), [1, 1], StatusCode.Good, default, default);
            batch.Commit();
            Drain(inbox);
        }
    }

    [Fact]
    public void Inbox_Full_NodesAreNotedOnceAndNothingBlocks()
    {
        var inbox = _store.OpenInbox(4, static () => { });
        _store.Attach(Node, inbox.Shard);
        for (var i = 1; i <= 100; i++)
            _store.Set(Node, Number(i));
        Assert.Equal(4, inbox.Pending);
        Assert.Equal(96, inbox.CoalescedChanges);
        Assert.Equal(4, Drain(inbox));
        Assert.True(inbox.TryTakeCoalesced(out var nodes));
        Assert.Equal([1], nodes);
        Assert.False(inbox.TryTakeCoalesced(out _));
        _store.Set(Node, Number(0));
        Assert.Equal(1, inbox.Pending);
    }

    [Fact]
    public void Attach_FirstAndLastShard_TellTheListener()
    {
        var listener = new Listener();
        _store.Listen(listener);
        var (one, two) = (_store.OpenInbox(10, static () => { }).Shard, _store.OpenInbox(10, static () => { }).Shard);
        _store.Attach(Node, one);
        _store.Attach(Node, two);
        _store.Detach(Node, one);
        Assert.True(_store.IsWatched(Node));
        _store.Detach(Node, two);
        Assert.False(_store.IsWatched(Node));
        _store.Attach(Node, two);
        Assert.Equal([true, false, true], listener.Calls);
    }

    [Fact]
    public void Attach_ListenerThrows_ComesOutAndTheNodeIsAnnouncedAgain()
    {
        var listener = new Listener { Throws = true };
        _store.Listen(listener);
        var shard = _store.OpenInbox(10, static () => { }).Shard;
        Assert.Throws<InvalidOperationException>(() => _store.Attach(Node, shard));
        Assert.True(_store.IsWatched(Node));
        listener.Throws = false;
        _store.Detach(Node, shard);
        _store.Attach(Node, shard);
        Assert.Equal([true, false, true], listener.Calls);
    }

    [Fact]
    public async Task Acquire_WhileReplaced_IsNeverTornAndNeverAnotherNodes()
    {
        const int Nodes = 4;
        for (var node = 1; node <= Nodes; node++)
            _store.Set(new NodeHandle(node), Number(node));
        using var stop = new CancellationTokenSource();
        var writers = Enumerable.Range(1, Nodes).Select(node => Task.Run(() =>
        {
            // node + n × Nodes, as number or as a text beyond the inline bytes.
            for (var i = 0; i < 30_000; i++)
            {
                var number = (double)(node + (i * Nodes));
                var text = new Variant($"{number} is the value of this node at this moment");
                _store.Set(new NodeHandle(node), new DataValue(i % 2 == 0 ? new Variant(number) : text));
            }
        })).ToArray();
        var wrong = new ConcurrentQueue<string>();
        var readers = Enumerable.Range(0, 2).Select(_ => Task.Run(() =>
        {
            for (var i = 0; !stop.IsCancellationRequested; i++)
            {
                var node = (i % Nodes) + 1;
                var read = _store.Read(new NodeHandle(node)).Value;
                var number = read.AsString() is { } text ? double.Parse(text.Split(' ')[0]) : read.AsDouble();
                if (((int)number - node) % Nodes != 0)
                    wrong.Enqueue($"{node}: {read}");
            }
        })).ToArray();
        await Task.WhenAll(writers);
        await stop.CancelAsync();
        await Task.WhenAll(readers);
        Assert.Empty(wrong);
    }

    private static int Drain(ChangeInbox inbox)
    {
        var count = 0;
        while (inbox.TryTake(out var batch))
        {
            count += batch.Changes.Length;
            foreach (var change in batch.Changes)
                change.Value.Release();
            inbox.Recycle(batch);
        }

        return count;
    }

    private sealed class Listener : IInterestListener
    {
        public List<bool> Calls { get; } = [];

        public bool Throws { get; set; }

        public void OnInterest(NodeHandle node, bool wanted)
        {
            Calls.Add(wanted);
            if (Throws)
                throw new InvalidOperationException("A listener that breaks its contract.");
        }
    }
}
