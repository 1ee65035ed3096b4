namespace Gateway.Transport.Conversation;

/// <summary>How far a connection's turn came.</summary>
/// <param name="Consumed">Handled, to here.</param>
/// <param name="Examined">Looked at, to here.</param>
/// <param name="HasMore">A whole chunk waits for the next turn.</param>
/// <param name="HasPartial">Part of a chunk has arrived.</param>
internal readonly record struct Turn(
    SequencePosition Consumed, SequencePosition Examined, bool HasMore, bool HasPartial);
