using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>The nodes that <see cref="CyclicReader"/> reads, because the upstream has no items for them.</summary>
internal sealed partial class UpstreamItems
{
    /// <summary>Of the upstream's budget; set while there is no connection.</summary>
    public double MaxReadsPerSecond { get => _cyclic.MaxReadsPerSecond; set => _cyclic.MaxReadsPerSecond = value; }

    /// <summary>Nodes that are read again and again.</summary>
    public int CyclicCount { get { lock (_lock) return _cyclic.Count; } }

    /// <summary>Until nodes are to be read.</summary>
    public ValueTask WaitForCycleAsync(CancellationToken cancellation)
    {
        TimeSpan wait;
        lock (_lock)
            wait = _link is null ? Timeout.InfiniteTimeSpan : _cyclic.UntilDue;
        return wait == TimeSpan.Zero ? ValueTask.CompletedTask : _cycle.WaitAsync(wait, cancellation);
    }

    /// <summary>For one request.</summary>
    public int[] TakeCycle(UpstreamLink link)
    {
        lock (_lock)
            return ReferenceEquals(link, _link) ? _cyclic.TakeDue(link.Sizes.NodesPerRead) : [];
    }

    /// <summary>Values of a cycle, with their encoded sizes. Changes in between are no loss: nobody was promised them.
    /// </summary>
    public void TakeRead(UpstreamLink link, int[] handles, DataValue[] read, int[] sizes)
    {
        lock (_lock)
        {
            if (!ReferenceEquals(link, _link))
                return;
            for (var i = 0; i < handles.Length; i++)
            {
                // It has an item by now: that one's value is newer.
                if (!_cyclic.TryGetInterval(handles[i], out _))
                    continue;
                _held.Take(handles[i], read[i], sizes[i]);
                _cyclic.Answered(handles[i]);
            }
        }

        metrics.Heard();
    }

    /// <summary>Whether the node is read again and again from now on.</summary>
    private bool TryCycleUnderLock(int node)
    {
        if (!_cyclic.TrySet(node, _rates.AskedMs(node)))
            return false;
        _cycle.Set();
        return true;
    }
}
