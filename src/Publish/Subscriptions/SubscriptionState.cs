namespace Gateway.Publish.Subscriptions;

/// <summary>Source: Part 4 §5.14.1.2; CLOSED is a subscription that no service finds any more, CREATING lies within one
/// call.
/// </summary>
internal enum SubscriptionState : byte
{
    Normal,
    Late,
    KeepAlive,
    Closed,
}
