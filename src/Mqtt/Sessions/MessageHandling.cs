using Gateway.Mqtt.States;

namespace Gateway.Mqtt.Sessions;

/// <summary>Hands the messages of the inbox to their handlers, one after the other, and then acknowledges them. A fault
/// of a handler ends nothing (R40). Threads: one loop of its own.</summary>
internal sealed class MessageHandling(
    Inbox inbox, SubscriptionBook subscriptions, MqttCounters counters, Action<InboundMessage> acknowledge)
{
    public async Task RunAsync()
    {
        while (!inbox.IsClosed)
        {
            if (!inbox.TryTake(out var message))
            {
                await inbox.ArrivedAsync().ConfigureAwait(false);
                continue;
            }

            await HandleAsync(message).ConfigureAwait(false);
            acknowledge(message);
            inbox.Release(message);
        }
    }

    private async ValueTask HandleAsync(InboundMessage message)
    {
        var isTaken = false;
        var entries = subscriptions.Entries();
        var areNamed = SubscriptionBook.AreNamed(entries, message);
        foreach (var entry in entries)
        {
            if (!SubscriptionBook.IsFor(entry, message, areNamed))
                continue;
            isTaken = true;
            try
            {
                await entry.Handler(message.ToReceived()).ConfigureAwait(false);
            }
            catch (Exception)
            {
                counters.CountHandlerFault();
            }
        }

        if (!isTaken)
            counters.CountDroppedInbound();
    }
}
