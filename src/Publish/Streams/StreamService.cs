using System.Collections.Concurrent;
using Gateway.Codec.Types;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Streams;

/// <summary>Opens streams and knows those that are open, for the end of the engine. Threads: any.</summary>
internal sealed class StreamService(PublishEngine engine)
{
    private readonly ConcurrentDictionary<ValueStream, bool> _open = new();

    public int Count => _open.Count;

    /// <summary>Null with a bad status: Bad_TooManySubscriptions.</summary>
    public ValueStream? Open(
        Shard shard, IItemAccess access, SessionOwner owner, StreamOptions options, out StatusCode status)
    {
        var stream = new ValueStream(engine, shard, access, owner, options);
        var times = SubscriptionTimes.Revise(options.IntervalMs, 0, 0, engine.Limits);
        _open[stream] = true;
        status = engine.SubscriptionService.Add(stream, stream.Subscription, times, publishingEnabled: true);
        if (!status.IsBad)
            return stream;
        stream.Close(status);
        return null;
    }

    public void Forget(ValueStream stream) => _open.TryRemove(stream, out _);

    public void CloseAll(StatusCode reason)
    {
        foreach (var (stream, _) in _open)
            stream.Close(reason);
    }
}
