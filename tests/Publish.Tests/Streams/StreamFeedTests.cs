using Gateway.Codec.Types;
using Gateway.Publish.Streams;
using Gateway.Publish.Tests.Support;
using Gateway.Testing;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Publish.Tests.Streams;

/// <summary>Many consumers of one tag: on real threads, and what a batch costs.</summary>
public sealed class StreamFeedTests
{
    private const int Consumers = 1000;
    private const int Changes = 300;

    [Fact]
    public async Task Feed_ThousandConsumersAndSomeThatDoNotRead_EachThatReadsEndsWithTheLastValue()
    {
        await using var plant = new PublishFixture(2);
        await using var engine = new PublishEngine(
            plant.Nodes, plant.Store, new PublishLimits { PublishShards = 2 }, new PlantLateness(), TimeProvider.System,
            NullLogger<PublishEngine>.Instance);
        plant.Set(1, 0);
        var access = new TestClient();
        StreamItem[] items = [new() { Node = new NodeId(1, 1), Handle = 1 }];
        var streams = new ValueStream[Consumers + 10];
        for (var i = 0; i < streams.Length; i++)
        {
            streams[i] = engine.OpenStream(
                access, SessionOwner.Unknown, new StreamOptions { IntervalMs = 10 }, out _)!;
            Assert.Equal(StatusCode.Good, streams[i].Add(items, out _));
        }

        var encoded = plant.Store.EncodedValues;
        engine.Start();
        var readers = streams.Take(Consumers).Select(ReadToTheLastAsync).ToArray();
        for (var i = 1; i <= Changes; i++)
            plant.Set(1, i);
        var seen = await Task.WhenAll(readers).WaitAsync(Patience.Limit);

        // Encoded once a change, whoever watches; each value was handed over or counted as skipped.
        Assert.Equal(Changes, plant.Store.EncodedValues - encoded);
        Assert.All(seen, one => Assert.Equal(Changes + 1, one.Read + one.Skipped));
        foreach (var stream in streams)
            stream.Dispose();
        await engine.DisposeAsync();
        Assert.Equal(1, plant.Store.CreatedValues - plant.Store.IdleValues - plant.Store.DiscardedValues);
        Assert.Equal(0, engine.Counters.Subscriptions);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(100, 100)]
    [InlineData(2_000, 2_000)]
    [InlineData(2_000, 3)]
    public async Task SteadyState_BatchAnInterval_AllocatesNothing(int tags, int everyOtherTime)
    {
        await using var plant = new PublishFixture(tags);
        StreamItem[] items =
            [.. Enumerable.Range(1, tags).Select(i => new StreamItem { Node = new NodeId((uint)i, 1), Handle = 1 })];
        using var stream = plant.Engine.OpenStream(
            new TestClient(), SessionOwner.Unknown, new StreamOptions { IntervalMs = 100 }, out _)!;
        Assert.Equal(StatusCode.Good, stream.Add(items, out _));
        var nodes = Enumerable.Range(1, tags).Select(i => plant.Handle((uint)i)).ToArray();
        var (cycle, changed, read) = (0, 0, 0);
        for (var warming = 0; warming < 200; warming++)
            Cycle();
        Assert.Equal(0, Allocations.Least(() => Enumerable.Range(0, 50).Sum(_ => Cycle())));
        Assert.Equal(changed, read);

        long Cycle()
        {
            var changing = nodes.AsSpan(0, cycle++ % 2 == 0 ? tags : everyOtherTime);
            changed += changing.Length;
            var before = GC.GetAllocatedBytesForCurrentThread();
            foreach (var node in changing)
                plant.Store.Set(node, new DataValue(new Variant((double)cycle)));
            var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            plant.Time.Advance(100);
            before = GC.GetAllocatedBytesForCurrentThread();
            plant.Engine.Shards[0].RunOnce();
            while (stream.Batches.TryRead(out var batch))
            {
                read += batch.Count;
                batch.Dispose();
            }

            return allocated + GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2_000)]
    public async Task Pool_ManyBatchesReturned_KeepsNoMoreThanItsBound(int tags)
    {
        await using var plant = new PublishFixture(tags);
        using var stream = plant.Engine.OpenStream(
            new TestClient(), SessionOwner.Unknown, new StreamOptions { IntervalMs = 100 }, out _)!;
        StreamItem[] items =
            [.. Enumerable.Range(1, tags).Select(i => new StreamItem { Node = new NodeId((uint)i, 1), Handle = 1 })];
        stream.Add(items, out _);
        plant.Advance(100);
        Assert.True(stream.Batches.TryRead(out var read));
        var pool = stream.Shard.Batches;
        var batches = Enumerable.Range(0, 20_000).Select(_ => pool.Rent(1)).ToArray();
        read.Dispose();
        foreach (var batch in batches)
            pool.Return(batch);

        Assert.InRange(pool.IdleChanges, StreamBatchPool.MaxIdleChanges, 2 * StreamBatchPool.MaxIdleChanges);
        var large = Enumerable.Range(0, 20).Select(_ => pool.Rent(tags)).Max(batch => batch.Capacity);
        Assert.InRange(large, tags, 2 * tags + 4);
    }

    private static async Task<(long Read, long Skipped)> ReadToTheLastAsync(ValueStream stream)
    {
        var (read, skipped, last) = (0L, 0L, -1.0);
        await foreach (var batch in stream.Batches.ReadAllAsync())
        {
            skipped += batch.Skipped;
            read += batch.Count;
            foreach (var change in batch.Changes)
            {
                Assert.True(change.Value.Numeric > last);
                last = change.Value.Numeric;
            }

            batch.Dispose();
            if (last == Changes)
                break;
        }

        return (read, skipped);
    }
}
