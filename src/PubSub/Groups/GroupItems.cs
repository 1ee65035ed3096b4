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

    private readonly Dictionary<uint, FieldPlace> _places = [];
    private readonly Dictionary<(DataSetWriter Writer, NodeId Node), FieldPlace> _known = [];
    private readonly HashSet<FieldPlace> _refused = [];
    private uint _lastHandle;

    /// <summary>Nodes that cannot be watched now.</summary>
    public int Refused => _refused.Count;

    public int Count => _known.Count;

    /// <summary>One that is watched; null: none is.</summary>
    public NodeId AnyNode => _known.Values.FirstOrDefault(static place => place.ItemId != 0)?.Node ?? default;

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

        writer.Change(layout, before);
        Remove(gone);
        Add(added);
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
