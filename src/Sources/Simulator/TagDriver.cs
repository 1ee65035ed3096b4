using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Sources.Simulator;

/// <summary>
/// Changes the tags one after the other at a steady rate: change k goes to tag k mod n, whose value is then one higher.
/// No value is skipped, whatever is left out (<see cref="SteadyPace"/>). Allocates nothing.
/// </summary>
internal sealed class TagDriver
{
    public const int FirstTagId = 1000;

    private readonly ValueStore _values;
    private readonly TimeProvider _time;
    private readonly SteadyPace _pace;
    private readonly NodeHandle[] _handles;
    private readonly double[] _counts;
    private readonly Lock _lock = new();
    private int _next;

    public TagDriver(
        NodeTable nodes, ValueStore values, NodeId[] tags, double changesPerSecond, TimeProvider time)
    {
        _values = values;
        _time = time;
        _pace = new SteadyPace(tags.Length == 0 ? 0 : Math.Max(0, changesPerSecond), time);
        _handles = Array.ConvertAll(tags, nodes.Find);
        _counts = new double[tags.Length];
    }

    public TimeSpan Period => _pace.Period;

    public void Begin() => _pace.Begin();

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
        var due = _pace.Take();
        if (due == 0)
            return;
        var now = _time.GetUtcNow().UtcDateTime;
        var batch = _values.BeginBatch();
        for (; due > 0; due--)
        {
            var value = ++_counts[_next];
            batch.Set(_handles[_next], new DataValue(new Variant(value), StatusCode.Good, now, now));
            _next = _next + 1 == _handles.Length ? 0 : _next + 1;
        }

        batch.Commit();
    }
}
