namespace Gateway.Rest.Events;

/// <summary>Events of the standard that tell about the stream, not about the plant.</summary>
internal enum EventSign
{
    None,
    RefreshStart,
    RefreshEnd,
    RefreshRequired,

    /// <summary>A queue was full, or the gateway lagged.</summary>
    Lost,
}
