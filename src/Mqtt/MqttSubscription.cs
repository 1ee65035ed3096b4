using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Sessions;

namespace Gateway.Mqtt;

/// <summary>A subscription until it is disposed, over all connections. Threads: any.</summary>
public sealed class MqttSubscription : IAsyncDisposable
{
    private readonly SubscriptionBook _book;
    private readonly SubscriptionEntry _entry;

    internal MqttSubscription(SubscriptionBook book, SubscriptionEntry entry, MqttReasonCode reason)
    {
        (_book, _entry, Reason) = (book, entry, reason);
    }

    public string Filter => _entry.Options.Filter;

    /// <summary>Of the first SUBACK: the granted QoS, or a failure.</summary>
    public MqttReasonCode Reason { get; }

    public bool IsGranted => !Reason.IsFailure();

    /// <summary>Its handler gets nothing more from now on; UNSUBSCRIBE goes, and the task ends with the UNSUBACK or
    /// with the client. Without a connection UNSUBSCRIBE waits for the next one.</summary>
    public async ValueTask DisposeAsync()
    {
        _book.Remove(_entry);
        await _entry.Unsubscribed.Task.ConfigureAwait(false);
    }
}
