using Gateway.Rest.Overview;


namespace Gateway.Host.Overview;

/// <summary>Finds notices of some kinds. Called by one timer, one call at a time.</summary>
internal interface INoticeSource
{
    /// <summary>All that hold now.</summary>
    IEnumerable<Notice> Read();
}
