namespace Gateway.Store;

/// <summary>Why records are lost.</summary>
public enum GapReason
{
    /// <summary>The disk did not take records as fast as they came, and the memory for them was full.</summary>
    QueueFull = 1,

    /// <summary>The log was full: its oldest segment made room.</summary>
    Overwritten,

    /// <summary>The records are not on the disk, or their checksum is wrong.</summary>
    Unreadable,

    /// <summary>The record was larger than <see cref="StoreOptions.MaxRecordBytes"/>.</summary>
    TooLarge,

    /// <summary>The consumer gave them up (<see cref="StoreLog.Discard"/>).</summary>
    Discarded,
}
