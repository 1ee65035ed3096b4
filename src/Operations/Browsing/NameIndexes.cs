using Gateway.AddressSpace.Nodes;

namespace Gateway.Operations.Browsing;

/// <summary>
/// Indexes of the names below nodes, for one request. The second path through a node sorts its targets by name. So a
/// thousand paths into a folder of ten thousand nodes visit each reference twice and not a thousand times. Holds at
/// most <see cref="MaxTargets"/> targets; then it starts anew. Owner: the request.
/// </summary>
internal sealed class NameIndexes
{
    private const int MaxTargets = 65_536;

    private readonly Dictionary<StepKey, NameIndex?> _indexes = [];
    private int _targets;

    /// <summary>Null on the first visit, or if there is no room: then the caller scans the references.</summary>
    public NameIndex? Of(in StepKey key, int references)
    {
        if (_indexes.TryGetValue(key, out var index))
        {
            if (index is not null || references > MaxTargets)
                return index;
            if (_targets + references > MaxTargets)
            {
                _indexes.Clear();
                _targets = 0;
            }

            _targets += references;
            return _indexes[key] = new NameIndex();
        }

        if (_indexes.Count >= MaxTargets)
            _indexes.Clear();
        _indexes.Add(key, null);
        return null;
    }

    /// <summary>Drops an index that was not completed.</summary>
    public void Forget(in StepKey key) => _indexes.Remove(key);

    /// <summary>A node and the references of it that a path follows.</summary>
    internal readonly record struct StepKey(
        NodeHandle Node, NodeHandle ReferenceType, bool IsInverse, bool IncludesSubtypes);
}
