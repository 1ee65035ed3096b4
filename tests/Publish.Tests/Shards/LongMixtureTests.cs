using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Shards;

/// <summary>A message is long by its bytes: events, data changes and events together, a single entry in the middle of a
/// queue.</summary>
public sealed class LongMixtureTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Notifier = 100;

    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;
    private readonly uint _subscription;
    private readonly List<bool> _wereInLine = [];

    public LongMixtureTests()
    {
        _plant.Nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = new NodeId(Notifier, 1),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Notifier", 1),
            EventNotifier = EventNotifierType.SubscribeToEvents,
            HasOwnEvents = true,
        }));
        // The wheel gives those of one moment out last first: this one is swept behind the client.
        var due = _plant.OpenClient();
        due.Monitor(due.Subscribe(), 10);
        due.Publish();
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe();
        _client.Publish();
        due.Sending = () => _wereInLine.Add(_client.Session.IsInLine);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [InlineData(10, false)]
    [InlineData(20, true)]
    public void Events_InOneMessage_AreLongBySize(int count, bool isLong)
    {
        WatchEvents();
        Raise(count);
        Assert.Equal(isLong, WaitsInLine());
        Assert.Equal(Messages(count), Told());
    }

    [Fact]
    public void DataChangesAndEvents_TogetherTooMany_AreLong()
    {
        WatchEvents();
        _client.Monitor(_subscription, 1, queueSize: 100);
        Raise(10);
        for (var length = 1000; length < 1010; length++)
            SetText(length);
        Assert.True(WaitsInLine());
        Assert.Equal(Messages(10), Told());
    }

    [Theory]
    [InlineData(100, false)]
    [InlineData(20_000, true)]
    public void Queue_TheMiddleOfThreeDecides(int length, bool isLong)
    {
        _client.Monitor(_subscription, 1, queueSize: 100);
        SetText(10);
        SetText(length);
        SetText(10);
        Assert.Equal(isLong, WaitsInLine());
        var changes = _client.Next().Changes;
        Assert.Equal(length, changes.Max(static one => one.Value.Value.AsString()?.Length ?? 0));
    }

    /// <summary>In the sweep, with a message that waits.</summary>
    private bool WaitsInLine()
    {
        _plant.Time.Advance(TimeSpan.FromMilliseconds(100));
        _plant.Engine.Shards[0].RunOnce();
        return Assert.Single(_wereInLine);
    }

    private void SetText(int length)
    {
        _plant.Store.Set(_plant.Handle(1), new DataValue(new Variant(new string('x', length))));
        _plant.Engine.Shards[0].HandOutChanges();
    }

    private void WatchEvents()
    {
        var request = TestClient.Item(
            Notifier, queueSize: 100, attribute: AttributeId.EventNotifier, filter: new EventFilter
            {
                SelectClauses =
                [
                    new SimpleAttributeOperand
                    {
                        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
                        BrowsePath = [new QualifiedName("Message")],
                        AttributeId = (uint)AttributeId.Value,
                    },
                ],
            });
        Assert.Equal(StatusCode.Good, _client.TryMonitor(_subscription, request).StatusCode);
    }

    private void Raise(int count)
    {
        foreach (var text in Messages(count))
        {
            _plant.Engine.Events.Raise(_plant.Engine.Events.Maker.Make(
                StandardEvents.SystemEvent, _plant.Handle(Notifier), null, text, 500));
        }
    }

    private static IEnumerable<string> Messages(int count) =>
        Enumerable.Range(0, count).Select(static one => $"{one:D4}" + new string('e', 1000));

    private IEnumerable<string?> Told() => Assert.Single(_client.All()).Response!.NotificationMessage.NotificationData!
        .Select(static one => one.Body).OfType<EventNotificationList>().SelectMany(static one => one.Events!)
        .Select(static one => one.EventFields![0].AsLocalizedText().Text);
}
