using Gateway.Codec.Types;

namespace Gateway.Publish.Sessions;

/// <summary>A StatusChangeNotification that waits for a Publish request: its subscription has left the session.
/// Source: Part 4 §7.25.4.</summary>
internal readonly record struct StatusChange(uint SubscriptionId, uint SequenceNumber, StatusCode Status);
