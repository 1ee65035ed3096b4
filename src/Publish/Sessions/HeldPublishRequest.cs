namespace Gateway.Publish.Sessions;

/// <summary>A Publish request that is held until there is something to send. Its acknowledgements are applied already.
/// </summary>
internal struct HeldPublishRequest
{
    public uint RequestId;

    public uint RequestHandle;

    /// <summary>Engine ticks; <see cref="long.MaxValue"/> for none.</summary>
    public long Deadline;

    public int AcknowledgementCount;

    /// <summary>StatusCodes of the acknowledgements; null when all are Good, the usual case.
    /// </summary>
    public uint[]? AcknowledgementResults;
}
