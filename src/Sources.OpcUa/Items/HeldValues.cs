using System.Runtime.InteropServices;
using Gateway.Sources.OpcUa.Health;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>
/// Nodes whose changes go to the store, with the encoded size of the value there: the wanted ones, and released ones as
/// long as their item exists. They may be wanted again, and the upstream would not tell their values a second time.
/// Owner: <see cref="UpstreamItems"/>, under its lock.
/// </summary>
internal sealed class HeldValues(UpstreamLimits limits, UpstreamMetrics metrics)
{
    private readonly Dictionary<int, int> _sizes = [];
    private long _bytes;

    /// <summary>They may be removed while they are walked.</summary>
    public IEnumerable<int> Nodes => _sizes.Keys;

    public int Count => _sizes.Count;

    public void Add(int node) => _sizes.TryAdd(node, 0);

    public void Remove(int node)
    {
        if (_sizes.Remove(node, out var size))
            _bytes -= size;
    }

    /// <summary>A null reference for a node that is not held.</summary>
    public ref int Find(int node) => ref CollectionsMarshal.GetValueRefOrNullRef(_sizes, node);

    /// <summary>Accounts for the value that replaces the node's last one. False: it would be too much.</summary>
    public bool TryHold(ref int held, int size)
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
        foreach (var node in nodes)
            _sizes.Add(node, 0);
        _bytes = 0;
    }
}
