using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.DataSets;
using Gateway.Publish.Streams;

namespace Gateway.PubSub.Groups;

/// <summary>The items of a group's stream, and the field that each fills. A handle is never used twice, so that a late
/// change of a removed item fills no other field. Owner: the group, under its lock.</summary>
internal sealed class GroupItems(ValueStream stream, PubSubLimits limits)
{
    private const int ItemsPerCall = 500;

    private readonly List<FieldPlace> _places = [];
    private readonly Dictionary<(DataSetWriter Writer, NodeId Node), FieldPlace> _known = [];

    /// <summary>Nodes that cannot be watched.</summary>
    public int Refused { get; private set; }

    public int Count => _known.Count;

    /// <summary>One that is watched; null: none is.</summary>
    public NodeId AnyNode => _known.Values.FirstOrDefault(static place => place.ItemId != 0)?.Node ?? default;

    public FieldPlace this[uint handle] => _places[(int)handle];

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
                added.Add(place = _known[(writer, node)] = new FieldPlace(writer, node));
            gone.Remove(place);
            place.Index = i;
        }

        writer.Change(layout, before);
        Remove(gone);
        Add(writer, added);
    }

    private void Remove(HashSet<FieldPlace> gone)
    {
        foreach (var place in gone)
        {
            place.Index = -1;
            _known.Remove((place.Writer, place.Node));
        }

        foreach (var ids in gone.Where(static place => place.ItemId != 0).Select(static place => place.ItemId)
            .Chunk(ItemsPerCall))
            stream.Remove(ids, out _);
    }

    private void Add(DataSetWriter writer, List<FieldPlace> added)
    {
        var options = writer.DataSet.Options;
        foreach (var part in added.Chunk(ItemsPerCall))
        {
            var items = Array.ConvertAll(part, place =>
            {
                _places.Add(place);
                return ItemOf(place.Node, (uint)_places.Count - 1, options.SamplingIntervalMs, options.Deadband);
            });
            if (stream.Add(items, out var results).IsBad)
            {
                Refused += part.Length;
                continue;
            }

            for (var i = 0; i < part.Length; i++)
            {
                if (results[i].StatusCode.IsBad && options.Deadband > 0)
                    results[i] = AddWithoutFilter(items[i]);
                if (results[i].StatusCode.IsBad)
                    Refused++;
                else
                    part[i].ItemId = results[i].MonitoredItemId;
            }
        }
    }

    /// <summary>A deadband is of numbers: the other fields of the data set have none.</summary>
    private MonitoredItemCreateResult AddWithoutFilter(in StreamItem item) =>
        stream.Add([item with { Filter = null }], out var results).IsBad
            ? new MonitoredItemCreateResult { StatusCode = StatusCodes.BadFilterNotAllowed }
            : results[0];

    private StreamItem ItemOf(in NodeId node, uint handle, double samplingIntervalMs, double deadband) => new()
    {
        Node = node,
        Handle = handle,
        SamplingIntervalMs = samplingIntervalMs,
        QueueSize = (uint)limits.MaxPubSubQueuedChanges,
        Filter = deadband > 0
            ? new DataChangeFilter
            {
                Trigger = DataChangeTrigger.StatusValue,
                DeadbandType = (uint)DeadbandType.Absolute,
                DeadbandValue = deadband,
            }
            : null,
    };
}
