namespace Gateway.PubSub.Uadp;

/// <summary>The parts of a head that differ from message to message.</summary>
internal readonly ref struct UadpHeadParts
{
    public required ReadOnlySpan<ushort> WriterIds { get; init; }

    /// <summary>The promoted fields as Variants.</summary>
    public ReadOnlySpan<byte> Promoted { get; init; }

    public Guid ClassId { get; init; }

    /// <summary>UTC.</summary>
    public DateTime Timestamp { get; init; }

    public bool IsChunk { get; init; }
}
