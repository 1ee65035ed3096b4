using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>The work for <see cref="ItemFollower"/>, and what came of it.</summary>
internal sealed partial class UpstreamItems
{
    private long _crowdedSince;

    /// <summary>The work for the loop. None where the connection ends: a request would not go, and nobody would know
    /// that. Errors: <see cref="UpstreamBoundException"/>.</summary>
    public ItemChanges TakeChanges(UpstreamLink link)
    {
        List<int> create = [];
        List<int> delete = [];
        List<int> retime = [];
        var isLate = false;
        lock (_lock)
        {
            if (Bound is { } bound)
                throw bound;
            if (!ReferenceEquals(link, _link) || _isEnding)
                return new ItemChanges(create, delete, retime);
            if (_crowded.Count > 0 && time.GetElapsedTime(_crowdedSince) >= TryAgain)
                (isLate, _crowdedSince) = (true, time.GetTimestamp());
            if (isLate)
                _changed.UnionWith(_crowded);
            foreach (var index in _changed)
            {
                var wanted = _wanted.Contains(index);
                if (wanted && !_active.ContainsKey(index))
                    create.Add(index);
                else if (_active.TryGetValue(index, out var item))
                    _lingering.Sort(index, wanted, item.AskedMs, _rates.AskedMs(index), delete, retime);
            }

            _changed.Clear();
            _creating.UnionWith(create);
            foreach (var index in _lingering.TakeDue())
            {
                if (_active.ContainsKey(index))
                    (_wanted.Contains(index) ? retime : delete).Add(index);
            }

            if (_refresh)
            {
                _unread.UnionWith(_active.Keys);
                foreach (var index in _active.Keys)
                    _held.Doubt(index);
            }

            _refresh = false;
            _unread.UnionWith(_catchUp.TakeDue());
            return new ItemChanges(create, delete, retime) { TryAgain = isLate };
        }
    }

    /// <summary>The interval that is asked of the upstream for a node.</summary>
    public double AskedMs(int index)
    {
        lock (_lock)
            return _rates.AskedMs(index);
    }

    /// <param name="link">By which the answer came.</param>
    /// <param name="subscription">The upstream's id.</param>
    /// <param name="handles">Of the nodes.</param>
    /// <param name="asked">Of each.</param>
    /// <param name="results">Of each.</param>
    /// <param name="isTaken">False: the link was lost before.</param>
    /// <returns>Those for which the subscription has no room. Their Create is under way still.</returns>
    public List<int> OnCreated(
        UpstreamLink link, uint subscription, int[] handles, MonitoredItemCreateRequest[] asked,
        MonitoredItemCreateResult[] results, out bool isTaken)
    {
        List<int> refused = [];
        lock (_lock)
        {
            isTaken = ReferenceEquals(link, _link);
            for (var i = 0; i < handles.Length && isTaken; i++)
            {
                var status = results[i].StatusCode;
                if (status == StatusCodes.BadTooManyMonitoredItems)
                {
                    refused.Add(handles[i]);
                    continue;
                }

                _creating.Remove(handles[i]);
                _timestamps.OnCreated(handles[i]);
                _crowded.Remove(handles[i]);
                _cyclic.Remove(handles[i]);
                if (!status.IsBad)
                    _active[handles[i]] = new ActiveItem(
                        subscription, results[i].MonitoredItemId, _rates.Granted(results[i].RevisedSamplingInterval),
                        (float)asked[i].RequestedParameters.SamplingInterval, results[i].RevisedQueueSize);
                else
                    RefuseUnderLock(handles[i], status);
            }

            OnItemsChangedUnderLock();
        }

        return refused;
    }

    /// <summary>The upstream takes no more items. They are read instead, and asked for again when one has gone.
    /// </summary>
    /// <returns>How many are not read either: the budget has no room for them.</returns>
    public int OnNoRoom(UpstreamLink link, List<int> handles)
    {
        var refused = 0;
        lock (_lock)
        {
            for (var i = 0; i < handles.Count && ReferenceEquals(link, _link); i++)
            {
                _isScarce = true;
                _creating.Remove(handles[i]);
                var isNew = _wanted.Contains(handles[i]) && _crowded.Add(handles[i]);
                if (_wanted.Contains(handles[i]) && TryCycleUnderLock(handles[i]))
                    continue;
                refused += isNew ? 1 : 0;
                RefuseUnderLock(handles[i], StatusCodes.BadTooManyMonitoredItems);
            }

            _crowdedSince = time.GetTimestamp();
        }

        return refused;
    }

    /// <summary>An item of the upstream has gone.</summary>
    public void OnRoom()
    {
        lock (_lock)
        {
            _isScarce = _crowded.Count > 0;
            if (!_isScarce)
                return;
            _changed.UnionWith(_crowded);
        }

        _signal.Set();
    }

    private void RefuseUnderLock(int handle, StatusCode status)
    {
        if (_wanted.Contains(handle))
            values.Set(new NodeHandle(handle), new DataValue(default, status, time.GetUtcNow().UtcDateTime));
        else
            ForgetUnderLock(handle);
    }

    /// <summary>The items to be deleted, of nodes that no item wants. None where the link is lost: they stay as they
    /// are until it is known what becomes of them.</summary>
    public List<ActiveItem> TakeActive(UpstreamLink link, int[] handles)
    {
        List<ActiveItem> taken = [];
        lock (_lock)
        {
            for (var i = 0; i < handles.Length && ReferenceEquals(link, _link) && !_isEnding; i++)
            {
                var handle = handles[i];
                // Wanted again meanwhile: it stays, and the store has followed it all the time.
                if (_wanted.Contains(handle) || !_active.Remove(handle, out var item))
                    continue;
                taken.Add(item);
                ForgetUnderLock(handle);
            }

            OnItemsChangedUnderLock();
        }

        return taken;
    }

    /// <summary>Items whose filter or rate is to be changed. None where the link is lost.</summary>
    /// <param name="link">That is served.</param>
    /// <param name="retimed">See <see cref="ItemChanges.Retime"/>.</param>
    public (int Node, ActiveItem Item, bool Timestamps)[] TakeModified(UpstreamLink link, List<int> retimed)
    {
        lock (_lock)
        {
            if (!ReferenceEquals(link, _link) || _isEnding)
                return [];
            var filtered = _timestamps.Take(_active.ContainsKey).Select(static change => change.Node);
            return [.. from node in retimed.Union(filtered)
                       where _active.ContainsKey(node)
                       select (node, _active[node], _timestamps.IsReported(node))];
        }
    }

    /// <returns>False: the link was lost before.</returns>
    public bool OnModified(
        UpstreamLink link, MonitoredItemModifyRequest[] asked, MonitoredItemModifyResult[] results)
    {
        lock (_lock)
        {
            var isTaken = ReferenceEquals(link, _link);
            for (var i = 0; i < asked.Length && isTaken; i++)
            {
                var index = (int)asked[i].RequestedParameters.ClientHandle;
                if (_active.TryGetValue(index, out var item) && item.Id == asked[i].MonitoredItemId)
                    _active[index] = item.Modified(
                        asked[i], results[i], _rates.Granted(results[i].RevisedSamplingInterval));
            }

            OnItemsChangedUnderLock();
            return isTaken;
        }
    }

    /// <summary>The nodes to read.</summary>
    public int[] UnreadHandles(UpstreamLink link)
    {
        lock (_lock)
        {
            _unread.RemoveWhere(index => !_active.ContainsKey(index));
            return ReferenceEquals(link, _link) && !_isEnding ? [.. _unread] : [];
        }
    }

    /// <summary>Values that were read, with their encoded sizes. A change that came meanwhile is newer.</summary>
    public void TakeRefreshed(UpstreamLink link, int[] handles, DataValue[] read, int[] sizes)
    {
        lock (_lock)
        {
            for (var i = 0; i < handles.Length && ReferenceEquals(link, _link); i++)
            {
                if (_unread.Remove(handles[i]))
                    _held.Take(handles[i], read[i], sizes[i]);
            }
        }
    }
}
