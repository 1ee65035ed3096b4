using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish.Streams;
using Gateway.Rest.Nodes;
using Gateway.Rest.Streams;

namespace Gateway.Rest.Sockets;

/// <summary>The items that one WebSocket watches, of one stream of the engine, and the pump that sends its batches. A
/// batch is given back when the client has taken it: as long as it has not, newer values replace older ones in the
/// engine. Owner: the conversation. Threads: the conversation's, but <see cref="PumpAsync"/>.</summary>
internal sealed class LiveSubscription(
    SocketConnection connection, LiveStream stream, CancellationTokenSource place, LiveStreams streams,
    EncodedValues encoded, LiveAnswers answers)
{
    private const double StreamsInterval = -1;

    private readonly LiveItems _items = new();
    private uint _lastHandle;
    private volatile bool _isLeft;

    public double Interval => stream.Values.IntervalMs;

    /// <summary>Until the stream is closed or the client has gone.</summary>
    public async Task PumpAsync()
    {
        try
        {
            await SendBatchesAsync().ConfigureAwait(false);
            if (!_isLeft)
                await connection.EndAsync(EndOf(stream.Values.Status)).ConfigureAwait(false);
        }
        catch (Exception error) when (SocketFaults.IsOfPeer(error))
        {
            // The receiver learns of it, too.
        }
#pragma warning disable CA1031 // A fault of ours ends this connection alone; the receiver reports it.
        catch (Exception)
#pragma warning restore CA1031
        {
            await connection.EndAsync(SocketEnd.Failed).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>The sender has the turn: no value comes before the answer. Results in the order asked.</summary>
    public StatusCode[] Add(NamedNode[] nodes)
    {
        var results = new StatusCode[nodes.Length];
        var (items, places) = (new List<StreamItem>(nodes.Length), new List<int>(nodes.Length));
        var asked = new HashSet<NodeId>();
        for (var i = 0; i < nodes.Length; i++)
        {
            results[i] = nodes[i].Status;
            // A node that is watched already stays as it is.
            if (nodes[i].Status.IsBad || _items.Has(nodes[i].Id) || !asked.Add(nodes[i].Id))
                continue;
            places.Add(i);
            items.Add(ItemOf(nodes[i].Id, ++_lastHandle));
        }

        if (items.Count == 0)
            return results;
        var whole = stream.Values.Add(items.ToArray(), out var made);
        for (var i = 0; i < items.Count; i++)
        {
            var node = nodes[places[i]];
            var status = whole.IsBad ? whole : made[i].StatusCode;
            results[places[i]] = status;
            if (!status.IsBad)
                _items.Add(new LiveItem(node.Id, items[i].Handle, made[i].MonitoredItemId, answers.PrefixOf(node)));
        }

        for (var i = 0; i < nodes.Length; i++)
        {
            // The second of the same node.
            if (!results[i].IsBad && !_items.Has(nodes[i].Id))
                results[i] = results[Array.FindIndex(nodes, one => one.Id == nodes[i].Id)];
        }

        stream.Values.Hurry();
        return results;
    }

    /// <summary>The sender has the turn: no value of these comes behind the answer.</summary>
    public StatusCode[] Remove(NamedNode[] nodes)
    {
        var results = new StatusCode[nodes.Length];
        var removed = new List<uint>();
        for (var i = 0; i < nodes.Length; i++)
        {
            if (nodes[i].Status.IsBad)
                results[i] = nodes[i].Status;
            else if (_items.TryRemove(nodes[i].Id, out var item))
                removed.Add(item.ItemId);
            else
                results[i] = StatusCodes.BadNoEntryExists;
        }

        if (removed.Count > 0)
            stream.Values.Remove([.. removed], out _);
        return results;
    }

    /// <summary>All that is watched.</summary>
    public void Clear()
    {
        var all = _items.All;
        foreach (var item in all)
            _items.TryRemove(item.Node, out _);
        if (all.Length > 0)
            stream.Values.Remove(Array.ConvertAll(all, static item => item.ItemId), out _);
    }

    /// <summary>Items are sampled at the new pace, too.</summary>
    public StatusCode ChangeInterval(double interval)
    {
        var status = stream.Values.ChangeInterval(interval);
        if (status.IsBad)
            return status;
        foreach (var item in _items.All)
            stream.Values.Modify(item.ItemId, ItemOf(item.Node, item.Handle), out _);
        return StatusCode.Good;
    }

    public void ChangeUser(Caller caller) => streams.ChangeUser(stream, caller);

    /// <summary>The client has left.</summary>
    public void Close()
    {
        _isLeft = true;
        streams.Close(stream, place);
    }

    private static StreamItem ItemOf(in NodeId node, uint handle) =>
        new() { Node = node, Handle = handle, SamplingIntervalMs = StreamsInterval };

    private static SocketEnd EndOf(StatusCode status) =>
        status.CodeBits is StatusCodes.BadShutdown or StatusCodes.BadServerHalted
            ? SocketEnd.Shutdown
            : SocketEnd.StreamClosed;

    private async Task SendBatchesAsync()
    {
        var batches = stream.Values.Batches;
        using var events = new LiveEvents(_items, encoded);
        while (await batches.WaitToReadAsync(connection.Gone).ConfigureAwait(false))
        {
            while (batches.TryRead(out var batch))
            {
                using (batch)
                    await SendAsync(events, batch).ConfigureAwait(false);
            }

            events.Dispose();
        }
    }

    private async ValueTask SendAsync(LiveEvents events, StreamBatch batch)
    {
        for (var next = 0; next < batch.Count;)
        {
            await connection.EnterAsync().ConfigureAwait(false);
            try
            {
                if (events.Write(batch, ref next))
                    await connection.SendInTurnAsync(events.Text).ConfigureAwait(false);
            }
            finally
            {
                connection.Leave();
            }
        }
    }
}
