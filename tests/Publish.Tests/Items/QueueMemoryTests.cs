using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Tests.Support;
using Gateway.Testing;

namespace Gateway.Publish.Tests.Items;

/// <summary>What a queue of an item keeps after a burst: data changes and events wait in the same (R43). Alone, as the
/// arrays are of one pool of the process.</summary>
[Collection(nameof(QueueMemoryTests))]
[CollectionDefinition(nameof(QueueMemoryTests), DisableParallelization = true)]
public sealed class QueueMemoryTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Burst = 10_000;

    private readonly PublishFixture _plant = new();

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Drained_AfterABurst_KeepsNextToNothing(bool isFromTheFront)
    {
        var queue = new ItemQueue(Burst);
        Fill(ref queue, Burst);
        Assert.True(queue.Capacity >= Burst);

        while (queue.Count > 0)
            (isFromTheFront ? queue.Dequeue() : queue.TakeNewest()).Value.Release();

        Assert.InRange(queue.Capacity, 1, QueueArrays.LeastLength);
    }

    /// <summary>A slow client leaves some each time: the rest of the memory goes all the same.</summary>
    [Fact]
    public void Drained_ToAHundred_KeepsAsMuchAsThat()
    {
        var queue = new ItemQueue(Burst);
        Fill(ref queue, Burst);

        while (queue.Count > 100)
            queue.Dequeue().Value.Release();

        Assert.InRange(queue.Capacity, 100, 1_000);
        queue.Clear();
    }

    [Fact]
    public void Bursts_InASteadyState_AllocateNothing()
    {
        var queue = new ItemQueue(Burst);
        Cycle();
        Cycle();

        Assert.Equal(0, Allocations.Least(Cycle));

        long Cycle()
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            Fill(ref queue, 1_000);
            // All that a turn of giving memory back may do in between.
            QueueArrays.Shared.Trim();
            queue.Clear();
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    [Fact]
    public void Trim_ArraysThatNobodyNeedsAnyMore_AreLetGo()
    {
        QueueArrays.Shared.Trim();
        QueueArrays.Shared.Trim();
        var before = QueueArrays.Shared.IdleEntries;
        var queue = new ItemQueue(Burst);
        Fill(ref queue, Burst);
        queue.Clear();
        Assert.True(QueueArrays.Shared.IdleEntries - before >= Burst);

        QueueArrays.Shared.Trim();
        QueueArrays.Shared.Trim();

        Assert.Equal(0, QueueArrays.Shared.IdleEntries);
    }

    [Fact]
    public void Return_MoreThanMayBeIdle_IsNotKept()
    {
        const int Length = 1 << 18;
        var arrays = new QueueArrays();
        var rented = Enumerable.Range(0, 10).Select(_ => arrays.Rent(Length)).ToArray();

        Array.ForEach(rented, arrays.Return);

        Assert.Equal(QueueArrays.MaxIdleEntries, arrays.IdleEntries);
    }

    /// <summary>Against a list, through all lengths up and down.</summary>
    [Fact]
    public void Ring_RandomUse_IsAList()
    {
        var random = new Random(18);
        var values = Enumerable.Range(0, 300).Select(one => Make(one)).ToArray();
        var (ring, list) = (new ItemRing(values.Length), new List<SharedValue>());
        for (var step = 0; step < 50_000; step++)
        {
            var isGrowing = step / 2_000 % 2 == 0;
            if (list.Count < ring.Size && (list.Count == 0 || random.Next(10) < (isGrowing ? 7 : 3)))
            {
                var value = values[random.Next(values.Length)];
                ring.Append(new QueuedValue(value, NotificationBits.None));
                list.Add(value);
            }
            else if (random.Next(2) == 0)
            {
                Assert.Same(list[0], ring.TakeFirst().Value);
                list.RemoveAt(0);
            }
            else
            {
                Assert.Same(list[^1], ring.TakeLast().Value);
                list.RemoveAt(list.Count - 1);
            }

            Assert.Equal(list.Count, ring.Count);
            if (list.Count > 0)
                Assert.Same(list[step % list.Count], ring[step % list.Count].Value);
        }
    }

    private void Fill(ref ItemQueue queue, int entries)
    {
        for (var i = 0; i < entries; i++)
            queue.Enqueue(Make(i), discardOldest: true, NotificationBits.None);
    }

    private SharedValue Make(int number) => _plant.Store.Make(new DataValue(new Variant((double)number)));
}
