using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Events.Plain;

/// <summary>Types by their names, for many requests: they are walked once for each change of the address space, not for
/// each request (R44). Thread-safe.</summary>
public sealed class PlainTypeNames
{
    /// <summary>Of types with the same name in several namespaces, and once more of those that differ in case alone.
    /// </summary>
    private const int MaxOfOneName = 16;

    private readonly NodeTable _nodes;
    private readonly NodeId[] _roots;
    private readonly Lock _lock = new();
    private Known? _known;
    private int _walks;

    /// <param name="nodes">Of the address space.</param>
    /// <param name="roots">These types of the standard, and all below them.</param>
    public PlainTypeNames(NodeTable nodes, params uint[] roots)
    {
        _nodes = nodes;
        _roots = Array.ConvertAll(roots, static root => new NodeId(root));
    }

    /// <summary>For the tests of its cost.</summary>
    internal int Walks => Volatile.Read(ref _walks);

    /// <summary>The highest type of that name, without its namespace, that fits; None: there is none.</summary>
    /// <param name="name">That in the case of its BrowseName comes before others that differ in case alone.</param>
    /// <param name="fits">A type that the caller may not see does not.</param>
    public NodeHandle Find(string name, Func<NodeHandle, bool> fits)
    {
        var known = Volatile.Read(ref _known);
        if (known?.Version != _nodes.Version)
            known = Walk();
        var exact = First(known.Exact, name, fits);
        return exact.IsNone ? First(known.InAnyCase, name, fits) : exact;
    }

    private NodeHandle First(Dictionary<string, List<NodeHandle>> types, string name, Func<NodeHandle, bool> fits) =>
        types.GetValueOrDefault(name)?.Find(type => _nodes.Exists(type) && fits(type)) ?? default;

    /// <summary>One at a time. A change that comes while it walks has another version, and the next call walks again.
    /// </summary>
    private Known Walk()
    {
        lock (_lock)
        {
            var version = _nodes.Version;
            if (_known is { } known && known.Version == version)
                return known;
            _walks++;
            var made = new Known(version, new(StringComparer.Ordinal), new(StringComparer.OrdinalIgnoreCase));
            // Each root has its bound: a crowd of data types is not to hide types of events.
            foreach (var type in _roots.SelectMany(root => PlainTypes.Below(_nodes, [_nodes.Find(root)])))
            {
                if (_nodes.GetBrowseName(type).Name is not { } name)
                    continue;
                Add(made.Exact, name, type);
                Add(made.InAnyCase, name, type);
            }

            Volatile.Write(ref _known, made);
            return made;
        }
    }

    private static void Add(Dictionary<string, List<NodeHandle>> types, string name, NodeHandle type)
    {
        if (!types.TryGetValue(name, out var same))
            types.Add(name, same = []);
        if (same.Count < MaxOfOneName)
            same.Add(type);
    }

    private sealed record Known(
        int Version, Dictionary<string, List<NodeHandle>> Exact, Dictionary<string, List<NodeHandle>> InAnyCase);
}
