using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Model;

/// <summary>Random calls of the MonitoredItem service set, changes and sweeps: what each item reports is what the naive
/// model says, value by value with its Overflow bit. The seed is in the test's name.</summary>
public sealed class ItemModelTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Overflow = 0x480;
    private const int Tags = 4;

    private readonly PublishFixture _plant = new(Tags);
    private readonly TestClient _client;
    private readonly uint _subscription;
    private readonly Dictionary<uint, ModelQueueItem> _items = [];
    private readonly double[] _values = new double[Tags + 1];
    private Random _random = new(0);
    private uint _lastHandle;

    public ItemModelTests()
    {
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe(keepAlive: 100_000, lifetime: 1_000_000);
        for (var node = 1u; node <= Tags; node++)
            _plant.Set(node, 0);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public void Random_ItemsReportWhatTheModelSays(int seed)
    {
        _random = new Random(seed);
        for (var step = 0; step < 3000; step++)
        {
            switch (_random.Next(20))
            {
                case 0 or 1 when _items.Count < 12:
                    Create();
                    break;
                case 2:
                    Delete();
                    break;
                case 3 or 4:
                    Modify();
                    break;
                case 5 or 6:
                    SetMode();
                    break;
                case 7 or 8:
                    SetTriggering();
                    break;
                case 9 or 10:
                    Publish(step);
                    break;
                default:
                    Change();
                    break;
            }
        }

        foreach (var id in _items.Keys.ToArray())
            Delete(id);
        Assert.Equal((0, 0L), (_plant.Engine.Counters.MonitoredItems, _plant.Engine.Counters.QueueCapacity));
        Assert.Equal(Tags, _plant.Store.CreatedValues - _plant.Store.IdleValues);
    }

    private ModelQueueItem? Any() => _items.Count == 0 ? null : _items.Values.ElementAt(_random.Next(_items.Count));

    private MonitoringMode AnyMode() => (MonitoringMode)_random.Next(3);

    private MonitoringParameters AnyParameters(uint handle, out int size, out bool discardOldest)
    {
        (size, discardOldest) = (_random.Next(1, 6), _random.Next(2) == 0);
        // 0 stands for 1.
        var asked = size == 1 ? (uint)_random.Next(2) : (uint)size;
        return new MonitoringParameters { ClientHandle = handle, QueueSize = asked, DiscardOldest = discardOldest };
    }

    private void Create()
    {
        var (node, mode) = ((uint)_random.Next(1, Tags + 1), AnyMode());
        var handle = ++_lastHandle;
        var parameters = AnyParameters(handle, out var size, out var discardOldest);
        var result = _client.TryMonitor(_subscription, new MonitoredItemCreateRequest
        {
            ItemToMonitor = new ReadValueId { NodeId = new NodeId(node, 1), AttributeId = (uint)AttributeId.Value },
            MonitoringMode = mode,
            RequestedParameters = parameters,
        });
        Assert.Equal((StatusCode.Good, (uint)size), (result.StatusCode, result.RevisedQueueSize));
        var item = new ModelQueueItem(result.MonitoredItemId, node);
        item.Modify(size, discardOldest);
        item.SetMode(mode, _values[node]);
        _items.Add(handle, item);
    }

    private void Delete()
    {
        if (_items.Count > 0)
            Delete(_items.Keys.ElementAt(_random.Next(_items.Count)));
    }

    private void Delete(uint handle)
    {
        _items.Remove(handle, out var item);
        Assert.Equal(StatusCode.Good, _client.DeleteItem(_subscription, item!.Id));
        foreach (var other in _items.Values)
            other.Links.Remove(item);
    }

    private void Modify()
    {
        if (_items.Count == 0)
            return;
        var (handle, item) = _items.ElementAt(_random.Next(_items.Count));
        var response = _client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = _subscription,
            ItemsToModify =
            [
                new()
                {
                    MonitoredItemId = item.Id,
                    RequestedParameters = AnyParameters(handle, out var size, out var discardOldest),
                },
            ],
        });
        var result = Assert.Single(response.Results!);
        Assert.Equal((StatusCode.Good, (uint)size), (result.StatusCode, result.RevisedQueueSize));
        item.Modify(size, discardOldest);
    }

    private void SetMode()
    {
        if (Any() is not { } item)
            return;
        var mode = AnyMode();
        _client.Session.SetMonitoringMode(new SetMonitoringModeRequest
        {
            SubscriptionId = _subscription,
            MonitoringMode = mode,
            MonitoredItemIds = [item.Id],
        });
        item.SetMode(mode, _values[item.Node]);
    }

    private void SetTriggering()
    {
        if (Any() is not { } trigger || Any() is not { } add || Any() is not { } remove)
            return;
        var response = _client.Session.SetTriggering(new SetTriggeringRequest
        {
            SubscriptionId = _subscription,
            TriggeringItemId = trigger.Id,
            LinksToAdd = [add.Id],
            LinksToRemove = [remove.Id],
        });
        Assert.Equal(StatusCode.Good, Assert.Single(response.AddResults!));
        Assert.Equal(trigger.Links.Remove(remove), Assert.Single(response.RemoveResults!).IsGood);
        if (!trigger.Links.Contains(add))
            trigger.Links.Add(add);
    }

    private void Change()
    {
        var (node, value) = (_random.Next(1, Tags + 1), (double)_random.Next(10));
        _values[node] = value;
        _plant.Set((uint)node, value);
        foreach (var item in _items.Values.Where(item => item.Node == node))
            item.Change(value);
        // The shard takes changes in when it sweeps or is asked; here at once, so that calls meet the same queues.
        _plant.Advance(0);
    }

    private void Publish(int step)
    {
        if (_client.Session.HeldPublishRequests == 0)
            _client.Publish();
        _plant.Advance(100);
        var sent = _client.All().SelectMany(answer => answer.Changes).ToLookup(change => change.ClientHandle);
        foreach (var (handle, item) in _items)
        {
            var expected = string.Join(" ", item.Publish().Select(e => $"{e.Value}{(e.Overflow ? "!" : "")}"));
            var actual = string.Join(" ", sent[handle].Select(change =>
                $"{change.Value.Value.AsDouble()}{(change.Value.Status.Code == Overflow ? "!" : "")}"));
            Assert.True(expected == actual, $"step {step} item {item.Id}: model '{expected}', engine '{actual}'");
        }
    }
}
