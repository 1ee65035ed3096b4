using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.DataSets;
using Gateway.Publish.Streams;

namespace Gateway.PubSub.Groups;

/// <summary>The items of a group's stream, and the field that each fills. A handle is never used twice, so that a late
/// change of a removed item fills no other field. Fields that the engine refuses are tried again. Owner: the group,
/// under its lock.</summary>
internal sealed class GroupItems(ValueStream stream, PubSubLimits limits)
{
    private const int ItemsPerCall = 500;

    /// <summary>A data set of values has a queue for each field, one of events for all of them.</summary>
    private const int EventsPerQueuedChange = 10;

    /// <summary>Has a value at any time.</summary>
    private static readonly NodeId ServerState = new(StandardIds.Variables.Server_ServerStatus_State);

    private readonly Dictionary<uint, FieldPlace> _places = [];
    private readonly Dictionary<(DataSetWriter Writer, NodeId Node), FieldPlace> _known = [];
    private readonly HashSet<FieldPlace> _refused = [];
    private uint _lastHandle;

    /// <summary>Nodes that cannot be watched now.</summary>
    public int Refused => _refused.Count;

    public int Count => _known.Count;

    /// <summary>A Variable for as long as one item watches anything; null: none does.</summary>
    public NodeId AnyNode => _known.Values.FirstOrDefault(static place => place.ItemId != 0) switch
    {
        null => default,
        { Events: null } place => place.Node,
        _ => ServerState,
    };

    private int PerCall => Math.Clamp(stream.MaxItemsPerCall, 1, ItemsPerCall);

    /// <summary>Null: its item has gone.</summary>
    public FieldPlace? Find(uint handle) => _places.GetValueOrDefault(handle);

    /// <summary>Watches the fields of a layout, and no longer those that it does not have. Fields that it shares with
    /// the layout before keep their values.</summary>
    public void Follow(DataSetWriter writer, DataSetLayout layout)
    {
        var before = new int[layout.Fields.Count];
        var added = new List<FieldPlace>();
        var gone = _known.Values.Where(place => place.Writer == writer).ToHashSet();
        for (var i = 0; i < before.Length; i++)
        {
            before[i] = -1;
            var node = layout.Fields[i].Node;
            if (node.IsNull)
                continue;
            if (_known.TryGetValue((writer, node), out var place))
                before[i] = place.Index;
            else
                added.Add(place = _known[(writer, node)] = new FieldPlace(writer, node, layout.Fields[i].Options));
            gone.Remove(place);
            place.Index = i;
        }

        if (layout.Events is { Notifier.IsNull: false } events)
            FollowEvents(writer, events, gone, added);
        writer.Change(layout, before);
        Remove(gone);
        Add(added);
    }

    private void FollowEvents(
        DataSetWriter writer, EventSelection events, HashSet<FieldPlace> gone, List<FieldPlace> added)
    {
        if (_known.TryGetValue((writer, events.Notifier), out var place) &&
            ReferenceEquals(place.Events, events.Filter))
        {
            gone.Remove(place);
            return;
        }

        place = new FieldPlace(writer, events.Notifier, options: null) { Events = events.Filter, Index = 0 };
        added.Add(_known[(writer, events.Notifier)] = place);
    }

    /// <summary>The fields that the engine had no room for, or whose nodes it did not know.</summary>
    public void TryAgain()
    {
        if (_refused.Count > 0)
            Add([.. _refused]);
    }

    private void Remove(HashSet<FieldPlace> gone)
    {
        foreach (var place in gone)
        {
            _places.Remove(place.Handle);
            // Another item of the same node may have its place by now.
            if (_known.GetValueOrDefault((place.Writer, place.Node)) == place)
                _known.Remove((place.Writer, place.Node));
            _refused.Remove(place);
        }

        foreach (var ids in gone.Where(static place => place.ItemId != 0).Select(static place => place.ItemId)
            .Chunk(PerCall))
            stream.Remove(ids, out _);
    }

    private void Add(IReadOnlyCollection<FieldPlace> added)
    {
        _refused.UnionWith(added);
        foreach (var part in added.Chunk(PerCall))
        {
            var items = Array.ConvertAll(part, Prepare);
            if (stream.Add(items, out var results).IsBad)
                continue;
            for (var i = 0; i < part.Length; i++)
            {
                if (results[i].StatusCode.IsBad && items[i].Filter is not null)
                    results[i] = AddWithoutFilter(items[i]);
                if (results[i].StatusCode.IsBad)
                    continue;
                part[i].ItemId = results[i].MonitoredItemId;
                _refused.Remove(part[i]);
            }
        }
    }

    /// <summary>A deadband is of numbers: the other fields of the data set have none.</summary>
    private MonitoredItemCreateResult AddWithoutFilter(in StreamItem item) =>
        stream.Add([item with { Filter = null }], out var results).IsBad
            ? new MonitoredItemCreateResult { StatusCode = StatusCodes.BadFilterNotAllowed }
            : results[0];

    private StreamItem Prepare(FieldPlace place)
    {
        if (place.Handle == 0)
            _places.Add(place.Handle = ++_lastHandle, place);
        if (place.Events is { } events)
            return new StreamItem
            {
                Node = place.Node,
                Handle = place.Handle,
                Events = events,
                QueueSize = (uint)Math.Min(int.MaxValue, (long)EventsPerQueuedChange * limits.MaxPubSubQueuedChanges),
            };
        return new StreamItem
        {
            Node = place.Node,
            Handle = place.Handle,
            SamplingIntervalMs = place.SamplingIntervalMs,
            QueueSize = (uint)limits.MaxPubSubQueuedChanges,
            Filter = place.Deadband > 0
                ? new DataChangeFilter
                {
                    Trigger = DataChangeTrigger.StatusValue,
                    DeadbandType = (uint)DeadbandType.Absolute,
                    DeadbandValue = place.Deadband,
                }
                : null,
        };
    }
}
