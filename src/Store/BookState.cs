namespace Gateway.Store;

/// <summary>The memory of a log at one moment.</summary>
internal readonly record struct BookState(
    long Records, int Outstanding, long UnwrittenBytes, int Gaps, long? OldestTicks);
