using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Sessions;

namespace Gateway.Mqtt;

/// <summary>A subscription until it is disposed, over all connections. Threads: any.</summary>
public sealed class MqttSubscription : IAsyncDisposable
{
    private readonly SubscriptionBook _book;
    private readonly SubscriptionEntry _entry;

    private readonly TimeSpan _patience;
    private readonly TimeProvider _time;

    internal MqttSubscription(SubscriptionBook book, SubscriptionEntry entry, TimeSpan patience, TimeProvider time)
    {
        (_book, _entry, _patience, _time) = (book, entry, patience, time);
    }

    public string Filter => _entry.Options.Filter;

    /// <summary>Ends with the first answer: the granted QoS, which may be below the one that was asked for, or a
    /// failure; also with a failure where the subscription or its client ends before an answer came.</summary>
    public Task<MqttReasonCode> Granted => _entry.Subscribed.Task;

    /// <summary>The last answer, also of later connections: the granted QoS, or a failure. Null: none yet.</summary>
    public MqttReasonCode? Reason => _entry.Reason;

    /// <summary>By the last answer.</summary>
    public bool IsGranted => Reason is { } reason && !reason.IsFailure();

    /// <summary>Its handler gets nothing more from now on; UNSUBSCRIBE goes, and the task ends with the UNSUBACK or
    /// with the client. Without a connection UNSUBSCRIBE waits for the next one.</summary>
    /// <param name="cancellation">Ends the waiting alone: UNSUBSCRIBE goes all the same.</param>
    public async Task UnsubscribeAsync(CancellationToken cancellation = default)
    {
        _book.Remove(_entry);
        await _entry.Unsubscribed.Task.WaitAsync(cancellation).ConfigureAwait(false);
    }

    /// <summary>UNSUBSCRIBE goes; nobody waits for it.</summary>
    internal void Remove() => _book.Remove(_entry);

    /// <summary>As <see cref="UnsubscribeAsync"/>, but it waits at most for <c>DrainDeadline</c>.</summary>
    public async ValueTask DisposeAsync()
    {
        _book.Remove(_entry);
        try
        {
            await _entry.Unsubscribed.Task.WaitAsync(_patience, _time).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            // UNSUBSCRIBE goes when there is a connection.
        }
    }
}
