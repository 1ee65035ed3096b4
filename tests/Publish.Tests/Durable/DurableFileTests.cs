using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Publish.Durable;
using Gateway.Publish.Tests.Support;
using Gateway.Store.Tests;

namespace Gateway.Publish.Tests.Durable;

/// <summary>The files: their size, their damage, and a disk that fails.</summary>
public sealed class DurableFileTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly DurablePlant _before = new(limits: PublishLimits.Default with { MaxDurableQueueSize = 100_000 });
    private readonly TestClient _client;

    public DurableFileTests() => _client = _before.Plant.OpenClient(DurablePlant.Alice);

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _before.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    /// <summary>More than a slice of the shard's lock.</summary>
    [Fact]
    public async Task Save_LongQueue_IsThereWhole()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 20_000);
        for (var i = 1; i <= 10_000; i++)
            _before.Plant.Set(1, i);
        _before.Plant.Advance(1);
        _before.Saver.Save();
        await using var killed = _before.Next();
        Assert.Equal(_before.Describe(subscription), killed.Describe(subscription));
        Assert.Equal(10_001, Assert.Single(Items(killed, subscription)).Queue.Count);
        Assert.Equal(_before.Book.Bytes, killed.Book.Bytes);
    }

    [Fact]
    public void Save_NothingNew_WritesNothing()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1);
        _before.Saver.Save();
        var writes = _before.Disk.Writes;
        _before.Plant.Advance(1_000);
        _before.Saver.Save();
        Assert.Equal(writes, _before.Disk.Writes);
    }

    /// <summary>A client that is there takes its values before they are written.</summary>
    [Fact]
    public void Save_ClientTakesItsValues_FileStaysSmall()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 1_000);
        var sequenceNumber = 0u;
        for (var second = 0; second < 2_000; second++)
        {
            for (var i = 0; i < 10; i++)
                _before.Plant.Set(1, (10 * second) + i);
            _client.Publish((subscription, sequenceNumber));
            _before.Plant.Advance(100);
            sequenceNumber = _client.All()[^1].SequenceNumber;
            _before.Saver.Save();
        }

        Assert.InRange(_before.Saver.FileBytes, 1, 300_000);
        Assert.Single(_before.Disk.Content.Keys, static name => name.EndsWith(".sub"));
    }

    [Fact]
    public async Task Read_CutAnywhere_IsTheStateOfAnEarlierSaveOrNothing()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 10);
        for (var i = 1; i <= 4; i++)
        {
            _before.Plant.Set(1, i);
            _before.Plant.Advance(1);
            _before.Saver.Save();
        }

        var (name, whole) = Assert.Single(_before.Disk.Content);
        var counts = new List<int>();
        for (var length = 0; length <= whole.Length; length++)
        {
            var cut = new MemoryFiles();
            cut.Content[name] = whole[..length];
            await using var after = new DurablePlant(cut);
            if (after.Saver.Restored == 0)
            {
                Assert.Equal(1, after.Saver.Lost);
                continue;
            }

            var entries = Assert.Single(Items(after, subscription)).Queue;
            counts.Add(entries.Count);
            for (var i = 0; i < entries.Count; i++)
                Assert.Equal(i, entries.At(i).Value.ToDataValue().Value.AsDouble());
        }

        Assert.Equal([2, 3, 4, 5], counts.Distinct());
    }

    /// <summary>Killed while a file was written anew.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(20)]
    [InlineData(0.5)]
    public async Task Read_NewestFileIsNotWhole_OlderOneCounts(double cut)
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 10);
        _before.Saver.Save();
        var older = _before.Disk.Copy();
        await using var process = new DurablePlant(older.Copy());
        process.Plant.Set(1, 5);
        var newer = Assert.Single(process.Disk.Content);
        Assert.DoesNotContain(newer.Key, older.Content.Keys);
        older.Content[newer.Key] = newer.Value[..(int)(cut < 1 ? cut * newer.Value.Length : cut)];
        await using var after = new DurablePlant(older);
        Assert.Equal((1L, 0L), (after.Saver.Restored, after.Saver.Lost));
        Assert.Single(Items(after, subscription));
        var left = Assert.Single(after.Disk.Content.Keys);
        Assert.DoesNotContain(left, process.Disk.Content.Keys);
    }

    [Fact]
    public async Task Read_AnyByteIsWrong_NothingIsInvented()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 10);
        _before.Plant.Set(1, 1);
        _before.Plant.Advance(1);
        _before.Saver.Save();
        var (name, whole) = Assert.Single(_before.Disk.Content);
        for (var at = 0; at < whole.Length; at++)
        {
            var damaged = new MemoryFiles();
            damaged.Content[name] = [.. whole];
            damaged.Content[name][at] ^= 0x40;
            await using var after = new DurablePlant(damaged);
            Assert.Equal((0L, 1L), (after.Saver.Restored, after.Saver.Lost));
            // It stays for whoever wants to look at it.
            Assert.True(damaged.Content.ContainsKey(name));
        }
    }

    [Fact]
    public async Task Disk_FailsForAWhile_NothingIsLost()
    {
        var subscription = _before.Subscribe(_client);
        _client.Monitor(subscription, 1, queueSize: 100);
        _before.Saver.Save();
        for (var i = 1; i <= 20; i++)
        {
            _before.Plant.Set(1, i);
            _before.Plant.Advance(1);
            _before.Disk.BytesUntilFailure = 3 * i;
            _before.Saver.Save();
            Assert.Equal(i, _before.Saver.DiskErrors);
            // The last whole one; what failed gives its room back.
            Assert.Single(_before.Disk.Content);
        }

        await using (var killed = _before.Next())
            Assert.Single(Items(killed, subscription));
        Assert.True(_before.Saver.UnsavedTime > TimeSpan.Zero);
        _before.Disk.BytesUntilFailure = null;
        _before.Saver.Save();
        Assert.Equal(TimeSpan.Zero, _before.Saver.UnsavedTime);
        await using var after = _before.Next();
        Assert.Equal(_before.Describe(subscription), after.Describe(subscription));
        Assert.Single(after.Disk.Content.Keys, static name => name.EndsWith(".sub"));
    }

    [Fact]
    public async Task Disk_FailsWhileASubscriptionIsDeleted_ItDoesNotComeBack()
    {
        var subscription = _before.Subscribe(_client);
        _before.Saver.Save();
        _client.Delete(subscription);
        _before.Disk.IsReadOnly = true;
        _before.Saver.Save();
        Assert.Equal(1, _before.Saver.DiskErrors);
        Assert.Single(_before.Disk.Content);
        _before.Disk.IsReadOnly = false;
        _before.Saver.Save();
        Assert.Empty(_before.Disk.Content);
        await using var after = _before.Next();
        Assert.Equal(0, after.Book.Count);
    }

    [Fact]
    public async Task Folder_CannotBeOpenedAtFirst_IsTriedAgain()
    {
        await using var plant = new PublishFixture(limits: PublishLimits.Default with
        {
            DurableSaveInterval = TimeSpan.FromSeconds(3),
        });
        var tries = 0;
        await using var saver = new DurableSubscriptions(
            plant.Engine, plant.Nodes, plant.Store, new DurableOptions { Path = "disk" }, plant.Time,
            Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance,
            _ => ++tries < 3 ? throw new IOException("in use") : _before.Disk);
        saver.Start();
        plant.Time.Advance(5_999);
        Assert.False(plant.Engine.Durable.IsOpen);
        plant.Time.Advance(1);
        Assert.True(plant.Engine.Durable.IsOpen);
        Assert.Equal((3, 2L), (tries, saver.DiskErrors));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Bytes_AboveTheLimit_QueueDropsAsIfItWereFull(bool ofAll)
    {
        var one = DurableBytes(1);
        // The last sixth of all is not for one client.
        var limits = ofAll
            ? PublishLimits.Default with { MaxDurableBytes = 12 * one }
            : PublishLimits.Default with { MaxDurableBytesPerSubscription = 10 * one };
        await using var durable = new DurablePlant(limits: limits);
        var client = durable.Plant.OpenClient(DurablePlant.Alice);
        var subscription = durable.Subscribe(client);
        client.Monitor(subscription, 1, queueSize: 1_000);
        client.Monitor(subscription, 2, queueSize: 1_000, discardOldest: false);
        for (var i = 1; i <= 20; i++)
        {
            durable.Plant.Set(1, i);
            durable.Plant.Set(2, i);
            durable.Plant.Advance(1);
        }

        Assert.Equal(10 * one, durable.Book.Bytes);
        Assert.True(durable.Book.Shortages > 0);
        durable.Saver.Save();
        await using var after = durable.Next();
        Assert.Equal(durable.Describe(subscription), after.Describe(subscription));
        var next = after.Plant.OpenClient(DurablePlant.Alice);
        next.Transfer(subscription);
        var values = after.Drain(next);
        var (oldest, newest) = (values.Where(static v => v.Handle == 1), values.Where(static v => v.Handle == 2));
        Assert.True(oldest.First().IsOverflow);
        Assert.Equal(20, oldest.Last().Value);
        Assert.True(newest.Last().IsOverflow);
        Assert.Equal(20, newest.Last().Value);
        Assert.Equal(10, values.Count);
        Assert.Equal(0, after.Book.Bytes);
    }

    private static int DurableBytes(double value)
    {
        var store = new ValueStore(TimeProvider.System);
        return Gateway.Publish.Items.DurableItem.BytesOf(store.Make(new DataValue(new Variant(value))));
    }

    private static List<Gateway.Publish.Items.MonitoredItem> Items(DurablePlant plant, uint subscription)
    {
        var items = new List<Gateway.Publish.Items.MonitoredItem>();
        foreach (var item in plant.Find(subscription).Items)
            items.Add(item);
        return items;
    }
}
