using Gateway.Client.Subscriptions;
using Gateway.Codec.Types;

namespace Gateway.Client.Tests.Subscriptions;

internal sealed class RecordingHandler : ISubscriptionHandler
{
    public List<string> Events { get; } = [];

    public int NothingNew { get; private set; }

    public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
    {
        while (changes.TryRead(out var handle, out var value))
            Events.Add($"{changes.SequenceNumber}: {handle}={value.ToVariant()}");
    }

    public void OnKeepAlive(ClientSubscription subscription) => Events.Add("keep-alive");

    public void OnNothingNew(ClientSubscription subscription) => NothingNew++;

    public void OnStatusChange(ClientSubscription subscription, StatusCode status) => Events.Add(status.ToString());

    public void OnLost(ClientSubscription subscription, uint firstSequenceNumber, uint count) =>
        Events.Add($"lost {firstSequenceNumber}+{count}");
}
