namespace Gateway.Store;

/// <summary>When the log asks the disk to keep what the system has. No policy lets the producer wait. A process that is
/// killed loses at most what <see cref="StoreOptions.WriteDelay"/> holds back; this policy is for a machine that loses
/// its power.</summary>
public enum FsyncPolicy
{
    /// <summary>The system decides, on Linux after some 30 s.</summary>
    Never,

    /// <summary>Once in <see cref="StoreOptions.FsyncInterval"/>.</summary>
    Interval,

    /// <summary>Behind each write, which takes all records that wait. A record is offered only after it.</summary>
    Each,
}
