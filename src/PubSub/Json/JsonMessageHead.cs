namespace Gateway.PubSub.Json;

/// <summary>The start of each discovery and status message. Source: Part 14 §7.2.5.5.</summary>
/// <param name="MessageId">Unique.</param>
/// <param name="PublisherId">The sender.</param>
/// <param name="Timestamp">UTC; when the message goes to the broker.</param>
public readonly record struct JsonMessageHead(Guid MessageId, string PublisherId, DateTime Timestamp);
