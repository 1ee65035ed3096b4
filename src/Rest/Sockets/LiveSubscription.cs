using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish.Streams;
using Gateway.Rest.Access;
using Gateway.Rest.Nodes;
using Gateway.Rest.Streams;

namespace Gateway.Rest.Sockets;

/// <summary>The items that one WebSocket watches, of one stream of the engine, and the pump that sends its batches.
/// Owner: the conversation. Threads: the conversation's, but <see cref="PumpAsync"/>.</summary>
internal sealed class LiveSubscription(
    SocketConnection connection, LiveStream stream, CancellationTokenSource place, LiveStreams streams,
    EncodedValues encoded, LiveAnswers answers)
{
    private const double StreamsInterval = -1;

    /// <summary>The items that are added, changed or removed in one go, and the work for one of them.</summary>
    private const int ItemsPerPart = 256;
    private const int UnitsPerItem = 16;

    private readonly LiveItems _items = new();
    private LivePump? _pump;
    private uint _lastHandle;

    public double Interval => stream.Values.IntervalMs;

    /// <summary>Nodes that are watched now.</summary>
    public int Count => _items.Count;

    /// <summary>Until the stream is closed or the client has gone.</summary>
    public Task PumpAsync()
    {
        _pump = new LivePump(connection, stream.Values, new LiveEvents(_items, encoded));
        return _pump.RunAsync();
    }

    /// <summary>The sender has the turn: no value comes before the answer. In parts, each a piece of the request's work
    /// (R44); those that it does not come to keep their result.</summary>
    /// <param name="request">Takes the turns.</param>
    /// <param name="nodes">As they were asked for.</param>
    /// <param name="results">In the same order; a node that is watched already is Good and stays as it is.</param>
    public async ValueTask AddAsync(RestRequest request, NamedNode[] nodes, StatusCode[] results)
    {
        var firsts = new Dictionary<NodeId, int>();
        var open = new List<int>();
        for (var i = 0; i < nodes.Length; i++)
        {
            if (nodes[i].Status.IsBad)
                results[i] = nodes[i].Status;
            else if (_items.Find(nodes[i].Id) is not null)
                results[i] = StatusCode.Good;
            else if (firsts.TryAdd(nodes[i].Id, i))
                open.Add(i);
        }

        await InPartsAsync(request, open.Count, (start, count) => Add(nodes, results, open, start, count))
            .ConfigureAwait(false);
        for (var i = 0; i < nodes.Length; i++)
        {
            // The second of the same node.
            if (!nodes[i].Status.IsBad && firsts.TryGetValue(nodes[i].Id, out var first))
                results[i] = results[first];
        }

        stream.Values.Hurry();
    }

    /// <summary>The sender has the turn: no value of these comes behind the answer. As <see cref="AddAsync"/>.
    /// </summary>
    public ValueTask RemoveAsync(RestRequest request, NamedNode[] nodes, StatusCode[] results)
    {
        var (items, places) = (new List<LiveItem>(), new List<int>());
        var asked = new HashSet<NodeId>();
        for (var i = 0; i < nodes.Length; i++)
        {
            if (nodes[i].Status.IsBad)
            {
                results[i] = nodes[i].Status;
            }
            else if (_items.Find(nodes[i].Id) is { } item && asked.Add(nodes[i].Id))
            {
                items.Add(item);
                places.Add(i);
            }
            else
            {
                results[i] = StatusCodes.BadNoEntryExists;
            }
        }

        return InPartsAsync(request, items.Count, (start, count) =>
        {
            var removed = Remove(items.GetRange(start, count));
            for (var i = 0; i < count; i++)
                results[places[start + i]] = removed[i];
        });
    }

    /// <summary>All that is watched. The sender has the turn.</summary>
    public ValueTask ClearAsync(RestRequest request)
    {
        var all = _items.All;
        return InPartsAsync(request, all.Length, (start, count) => Remove(all[start..(start + count)]));
    }

    /// <summary>Items are sampled at the new pace, too; those that the request does not come to keep theirs.</summary>
    public async ValueTask<StatusCode> ChangeIntervalAsync(RestRequest request, double interval)
    {
        var status = stream.Values.ChangeInterval(interval);
        if (status.IsBad)
            return status;
        var all = _items.All;
        await InPartsAsync(request, all.Length, (start, count) =>
        {
            var part = all.AsSpan(start, count);
            var (ids, items) = (new uint[count], new StreamItem[count]);
            for (var i = 0; i < count; i++)
                (ids[i], items[i]) = (part[i].ItemId, ItemOf(part[i].Node, part[i].Handle));
            stream.Values.Modify(ids, items, out _);
        }).ConfigureAwait(false);
        return StatusCode.Good;
    }

    public void ChangeUser(Caller caller) => streams.ChangeUser(stream, caller);

    /// <summary>The client has left.</summary>
    public void Close()
    {
        _pump?.Leave();
        streams.Close(stream, place);
    }

    private void Add(NamedNode[] nodes, StatusCode[] results, List<int> open, int start, int count)
    {
        var (items, places, prefixes) = (new StreamItem[count], new int[count], new byte[count][]);
        var counted = 0;
        for (var i = 0; i < count; i++)
        {
            var place = open[start + i];
            var prefix = answers.PrefixOf(nodes[place]);
            if (!streams.TryHold(stream, LiveItem.BytesOf(nodes[place], prefix)))
            {
                results[place] = StatusCodes.BadOutOfMemory;
                continue;
            }

            items[counted] = ItemOf(nodes[place].Id, ++_lastHandle);
            (places[counted], prefixes[counted++]) = (place, prefix);
        }

        if (counted == 0)
            return;
        var whole = stream.Values.Add(items.AsSpan(0, counted), out var made);
        for (var i = 0; i < counted; i++)
        {
            ref readonly var node = ref nodes[places[i]];
            var bytes = LiveItem.BytesOf(node, prefixes[i]);
            var status = results[places[i]] = whole.IsBad ? whole : made[i].StatusCode;
            if (status.IsBad)
                stream.Memory!.Remove(bytes);
            else
                _items.Add(new LiveItem(node.Id, items[i].Handle, made[i].MonitoredItemId, prefixes[i], bytes));
        }
    }

    /// <summary>An item that the engine keeps is not forgotten.</summary>
    private StatusCode[] Remove(IReadOnlyList<LiveItem> items)
    {
        var whole = stream.Values.Remove([.. items.Select(static item => item.ItemId)], out var results);
        if (whole.IsBad)
        {
            results = new StatusCode[items.Count];
            Array.Fill(results, whole);
            return results;
        }

        for (var i = 0; i < items.Count; i++)
        {
            // One that the engine does not know is as good as removed.
            results[i] = StatusCode.Good;
            _items.Remove(items[i]);
            stream.Memory!.Remove(items[i].Bytes);
        }

        return results;
    }

    private async ValueTask InPartsAsync(RestRequest request, int count, Action<int, int> work)
    {
        var most = Math.Min(ItemsPerPart, stream.Values.MaxItemsPerCall);
        for (var start = 0; start < count; start += most)
        {
            var part = Math.Min(most, count - start);
            if (!request.Take(part * UnitsPerItem))
                await request.NextAsync().ConfigureAwait(false);
            work(start, part);
        }

        request.EndTurns();
    }

    private static StreamItem ItemOf(in NodeId node, uint handle) =>
        new() { Node = node, Handle = handle, SamplingIntervalMs = StreamsInterval };
}
