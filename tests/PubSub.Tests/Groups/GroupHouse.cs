using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Groups;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Tests.DataSets;
using Gateway.Publish;
using Gateway.Publish.Streams;
using Gateway.Testing;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.PubSub.Tests.Groups;

/// <summary>A WriterGroup with a real stream of a real engine, which hands changes over at once. The group's own time
/// stands still: <see cref="Interval"/> is one publishing interval.</summary>
internal sealed class GroupHouse : IAsyncDisposable, IItemAccess
{
    private const double IntervalMs = 1000;

    private readonly PublishEngine _engine;
    private readonly List<PublishedDataSet> _dataSets = [];
    private readonly ManualTimeProvider _time = new();

    public GroupHouse(Plant plant, TextMessageWriter? message = null, WriterGroupOptions? options = null)
    {
        (Plant, Message) = (plant, message ?? new TextMessageWriter());
        Options = (options ?? new WriterGroupOptions()) with { Name = "g", PublishingIntervalMs = IntervalMs };
        _engine = new PublishEngine(
            plant.Nodes, plant.Values, new PublishLimits { PublishShards = 1, MinPublishingIntervalMs = 1 },
            new PlantLateness(), TimeProvider.System, NullLogger<PublishEngine>.Instance);
    }

    public Plant Plant { get; }

    public TextMessageWriter Message { get; }

    public PubSubLimits Limits { get; init; } = new();

    /// <summary>Between the group's start and the engine's: changes then wait for one publishing interval.</summary>
    public Action BeforeTheEngine { get; init; } = static () => { };

    public ListOutput Output { get; } = new();

    public WriterGroupOptions Options { get; }

    /// <summary>Raises events.</summary>
    public EventHub Events => _engine.Events;

    public WriterGroup Group { get; private set; } = null!;

    /// <summary>The answer of the engine for each item.</summary>
    public StatusCode Rights { get; set; }

    StatusCode IItemAccess.CheckMonitor(NodeHandle node, AttributeId attribute) => Rights;

    /// <summary>With a writer for each data set, from id 1.</summary>
    public GroupHouse Start(params DataSetOptions[] dataSets)
    {
        _dataSets.AddRange(dataSets.Select(Plant.Publish));
        var writers = _dataSets.Select((one, i) => (Make(one, i), $"topic{i}")).ToList();
        var description = new GroupDescription { PublisherId = "p", Name = "g", WriterGroupId = 1 };
        var stream = _engine.OpenStream(
            this, SessionOwner.Unknown, new StreamOptions { IntervalMs = 1, MaxBatches = 4 }, out _)!;
        Group = new WriterGroup(
            Options, description, writers, stream,
            new WriterGroupParts(null!, "p", Plant.Values, Limits, _time, NullLogger.Instance));
        Group.Start(Message, Output);
        BeforeTheEngine();
        _engine.Start();
        return this;
    }

    public void Interval(int count = 1)
    {
        _dataSets.ForEach(static one => one.Refresh());
        _time.Advance(count * IntervalMs);
    }

    public async ValueTask DisposeAsync()
    {
        await Group.DisposeAsync();
        await _engine.DisposeAsync();
        _dataSets.ForEach(static one => one.Dispose());
    }

    private DataSetWriter Make(PublishedDataSet dataSet, int index) => new(dataSet, new WriterDescription
    {
        Name = $"w{index}",
        DataSetWriterId = (ushort)(index + 1),
        MetaData = dataSet.Layout.MetaData,
        IsPeriodic = Options.IsPeriodic,
        HasKeyFramesOnly = Options.IsPeriodic,
    });
}
