using Gateway.Rest.Overview;

namespace Gateway.Host.Overview;

/// <summary>Hears what becomes of notices. Called by the board's timer, one call at a time.</summary>
internal interface INoticeListener
{
    void OnChange(NoticeChange change);
}
