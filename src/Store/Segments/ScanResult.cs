namespace Gateway.Store.Segments;

/// <summary>How one step through a segment ended.</summary>
internal enum ScanResult
{
    /// <summary>The buffer begins with whole records.</summary>
    Records,

    /// <summary>Damaged bytes are behind us; go on.</summary>
    Skipped,

    /// <summary>The next record needs a larger buffer.</summary>
    NeedsRoom,

    /// <summary>There is nothing more.</summary>
    End,
}
