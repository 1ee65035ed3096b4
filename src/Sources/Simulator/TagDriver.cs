using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Sources.Simulator;

/// <summary>
/// Changes the tags one after the other at a steady rate: change k goes to tag k mod n, whose value is then one higher.
/// The time since the start decides which changes are due, so that nothing drifts; where the machine stood still for
/// more than a second the missed changes are left out rather than made at once, and no value is skipped. Allocates
/// nothing.
/// </summary>
internal sealed class TagDriver
{
    public const int FirstTagId = 1000;

    private static readonly TimeSpan ShortestPeriod = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan LongestPeriod = TimeSpan.FromSeconds(1);

    private readonly ValueStore _values;
    private readonly TimeProvider _time;
    private readonly double _changesPerSecond;
    private readonly NodeHandle[] _handles;
    private readonly double[] _counts;
    private readonly Lock _lock = new();
    private long _start;
    private long _done;
    private long _leftOut;
    private int _next;

    public TagDriver(
        NodeTable nodes, ValueStore values, NodeId[] tags, double changesPerSecond, TimeProvider time)
    {
        _values = values;
        _time = time;
        _changesPerSecond = tags.Length == 0 ? 0 : Math.Max(0, changesPerSecond);
        _handles = Array.ConvertAll(tags, nodes.Find);
        _counts = new double[tags.Length];
    }

    /// <summary>Ten milliseconds, longer where changes are rarer.</summary>
    public TimeSpan Period
    {
        get
        {
            var between = _changesPerSecond > 1 ? TimeSpan.FromSeconds(1 / _changesPerSecond) : LongestPeriod;
            return between < ShortestPeriod ? ShortestPeriod : between;
        }
    }

    public void Begin() => _start = _time.GetTimestamp();

    /// <summary>All changes that are due. A tick that comes while the last one still works is left out.</summary>
    public void Tick()
    {
        if (!_lock.TryEnter())
            return;
        try
        {
            TickUnderLock();
        }
        finally
        {
            _lock.Exit();
        }
    }

    private void TickUnderLock()
    {
        var due = (long)(_time.GetElapsedTime(_start).TotalSeconds * _changesPerSecond) - _leftOut;
        var most = (long)Math.Max(1, _changesPerSecond);
        if (due - _done > most)
        {
            _leftOut += due - _done - most;
            due = _done + most;
        }

        if (due <= _done)
            return;
        var now = _time.GetUtcNow().UtcDateTime;
        var batch = _values.BeginBatch();
        for (; _done < due; _done++)
        {
            var value = ++_counts[_next];
            batch.Set(_handles[_next], new DataValue(new Variant(value), StatusCode.Good, now, now));
            _next = _next + 1 == _handles.Length ? 0 : _next + 1;
        }

        batch.Commit();
    }
}
