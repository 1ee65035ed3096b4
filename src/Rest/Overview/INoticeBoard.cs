namespace Gateway.Rest.Overview;

/// <summary>The faults of the gateway now, and the changes of late. Threads: any.</summary>
public interface INoticeBoard
{
    /// <summary>The faults first, the oldest first; each has a time.</summary>
    IReadOnlyList<Notice> Active { get; }

    /// <summary>The newest first; bounded.</summary>
    IReadOnlyList<NoticeChange> ReadChanges();
}
