using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Namespaces;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>
/// Nodes whose changes go to the store, with the encoded size of the value there: the wanted ones, and released ones as
/// long as their item exists. They may be wanted again, and the upstream would not tell their values a second time.
/// Owner: <see cref="UpstreamItems"/>, under its lock.
/// </summary>
internal sealed class HeldValues(
    INodeSource owner, NodeTable nodes, ValueStore values, UpstreamLimits limits, UpstreamMetrics metrics)
{
    private readonly Dictionary<int, int> _sizes = [];

    /// <summary>Nodes of which the upstream may have lost changes without a word.</summary>
    private readonly HashSet<int> _doubtful = [];
    private long _bytes;

    /// <summary>They may be removed while they are walked.</summary>
    public IEnumerable<int> Nodes => _sizes.Keys;

    public int Count => _sizes.Count;

    public void Add(int node) => _sizes.TryAdd(node, 0);

    public void Remove(int node)
    {
        _doubtful.Remove(node);
        if (_sizes.Remove(node, out var size))
            _bytes -= size;
    }

    /// <summary>Subscribers are told with its next change, as of a queue that was full.</summary>
    public void Doubt(int node) => _doubtful.Add(node);

    /// <summary>False: no caller waits for it.</summary>
    public bool Ingest(NamespaceMap map, uint clientHandle, in RawDataValue value, ValueBatch batch)
    {
        // The handle comes from the peer: it must not reach another source's node.
        var node = new NodeHandle((int)clientHandle);
        ref var held = ref Find(node.Index);
        if (Unsafe.IsNullRef(ref held) || !ReferenceEquals(nodes.SourceOf(node), owner))
            return false;
        if (!TryHold(ref held, value.EncodedVariant.Length))
        {
            batch.Set(node, new DataValue(default, StatusCodes.BadOutOfMemory, value.SourceTimestamp));
            return true;
        }

        var status = Told(node.Index, value.Status);
        if (map.IsIdentity || !ValueMapper.HasIndexes(value.Type))
        {
            batch.SetEncoded(
                node, value.EncodedVariant, status, value.SourceTimestamp, default, value.SourcePicoseconds);
            return true;
        }

        batch.Set(node, map.ToLocal(new DataValue(
            value.ToVariant(), status, value.SourceTimestamp, default, value.SourcePicoseconds)));
        return true;
    }

    /// <summary>A value that was read, unless no caller waits for it.</summary>
    public void Take(int node, in DataValue read, int size)
    {
        ref var held = ref Find(node);
        if (Unsafe.IsNullRef(ref held))
            return;
        values.Set(new NodeHandle(node), TryHold(ref held, size)
            ? read with { Status = Told(node, read.Status) }
            : new DataValue(default, StatusCodes.BadOutOfMemory, read.SourceTimestamp));
    }

    private StatusCode Told(int node, StatusCode status) =>
        _doubtful.Count > 0 && _doubtful.Remove(node) ? status.WithOverflow() : status;

    /// <summary>A null reference for a node that is not held.</summary>
    private ref int Find(int node) => ref CollectionsMarshal.GetValueRefOrNullRef(_sizes, node);

    /// <summary>Accounts for the value that replaces the node's last one. False: it would be too much.</summary>
    private bool TryHold(ref int held, int size)
    {
        var sum = _bytes - held + size;
        var isTooLarge = size > limits.MaxUpstreamValueBytes;
        if (isTooLarge || sum > limits.MaxUpstreamHeldBytes)
        {
            metrics.Met(isTooLarge ? UpstreamBound.MaxUpstreamValueBytes : UpstreamBound.MaxUpstreamHeldBytes);
            _bytes -= held;
            held = 0;
            return false;
        }

        _bytes = sum;
        held = size;
        return true;
    }

    /// <summary>These are held from now on, and none has a value.</summary>
    public void Reset(IEnumerable<int> nodes)
    {
        _sizes.Clear();
        _doubtful.Clear();
        foreach (var node in nodes)
            _sizes.Add(node, 0);
        _bytes = 0;
    }
}
