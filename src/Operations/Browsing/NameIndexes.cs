using Gateway.AddressSpace.Nodes;

namespace Gateway.Operations.Browsing;

/// <summary>
/// What one request has learned of the names below nodes that its paths pass through: at the second path through a
/// node its targets are put in order by name, so that a thousand paths into a folder of ten thousand look at each
/// reference twice and not a thousand times. Holds at most <see cref="MaxTargets"/> targets; then it begins anew.
/// Owner: the request.
/// </summary>
internal sealed class NameIndexes
{
    private const int MaxTargets = 65_536;

    private readonly Dictionary<StepKey, NameIndex?> _indexes = [];
    private int _targets;

    /// <summary>Null: it is the first time, or there is no room for it: the references are looked through.</summary>
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

    /// <summary>What was begun is not finished.</summary>
    public void Forget(in StepKey key) => _indexes.Remove(key);

    /// <summary>Which references of which node.</summary>
    internal readonly record struct StepKey(
        NodeHandle Node, NodeHandle ReferenceType, bool IsInverse, bool IncludesSubtypes);
}
