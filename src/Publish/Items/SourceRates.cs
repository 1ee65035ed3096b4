using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Types;

namespace Gateway.Publish.Items;

/// <summary>
/// How often the items of all shards need a node of an <see cref="IRatedSource"/>: the source looks once for all of
/// them, and slower items take from that. Two looks in each period, so that every period has one of its own, at a step
/// that controllers know. Threads: any; the lock is taken inside a shard's, and the source is told inside it.
/// </summary>
internal sealed class SourceRates(NodeTable nodes, PublishCounters counters)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<int, StepCounts> _rates = [];

    private static ReadOnlySpan<int> StepsMs => [0, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000];

    /// <summary>Nodes whose rate is known.</summary>
    public int Count
    {
        get
        {
            lock (_lock)
                return _rates.Count;
        }
    }

    /// <summary>For an item that begins to watch; false where its source does not care.</summary>
    public bool TryAdd(MonitoredItem item)
    {
        if (item.Attribute != AttributeId.Value || nodes.SourceOf(item.Node) is not IRatedSource source)
            return false;
        lock (_lock)
        {
            ref var counts = ref CollectionsMarshal.GetValueRefOrAddDefault(_rates, item.Node.Index, out var isThere);
            var before = isThere ? Fastest(counts) : -1;
            counts[StepOf(item.SamplingTicks)]++;
            TellUnderLock(source, item.Node, before, Fastest(counts));
        }

        return true;
    }

    /// <param name="node">Of an item that was added.</param>
    /// <param name="samplingTicks">With which it was added.</param>
    public void Remove(NodeHandle node, long samplingTicks)
    {
        lock (_lock)
        {
            ref var counts = ref CollectionsMarshal.GetValueRefOrNullRef(_rates, node.Index);
            if (Unsafe.IsNullRef(ref counts))
                return;
            var before = Fastest(counts);
            counts[StepOf(samplingTicks)]--;
            var after = Fastest(counts);
            if (after < 0)
                _rates.Remove(node.Index);
            else if (nodes.SourceOf(node) is IRatedSource source)
                TellUnderLock(source, node, before, after);
        }
    }

    private void TellUnderLock(IRatedSource source, NodeHandle node, int before, int after)
    {
        if (before == after)
            return;
#pragma warning disable CA1031 // An exception of a source must not stop the item or its shard.
        try
        {
            source.OnRate(node, StepsMs[after]);
        }
        catch (Exception error)
#pragma warning restore CA1031
        {
            counters.OnSourceFailed(error);
        }
    }

    private static int StepOf(long samplingTicks)
    {
        var (halfMs, step) = (samplingTicks / 2 / TimeSpan.TicksPerMillisecond, 0);
        while (step + 1 < StepsMs.Length && StepsMs[step + 1] <= halfMs)
            step++;
        return step;
    }

    /// <summary>−1: no item.</summary>
    private static int Fastest(in StepCounts counts)
    {
        for (var step = 0; step < StepsMs.Length; step++)
        {
            if (counts[step] > 0)
                return step;
        }

        return -1;
    }

    /// <summary>Items of each step.</summary>
    [InlineArray(9)]
    private struct StepCounts
    {
        private int _first;
    }
}
