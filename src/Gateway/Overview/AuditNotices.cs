using Gateway.Host.Auditing;
using Gateway.Rest.Overview;

namespace Gateway.Host.Overview;

/// <summary>An audit trail that the disk does not take.</summary>
internal sealed class AuditNotices(AuditStore store) : INoticeSource
{
    public IEnumerable<Notice> Read()
    {
        if (store.Failure is { } failure)
            yield return new Notice(
                "disk", "audit", true, $"The audit trail is not on disk: {failure}",
                "Look at the disk of Audit:Path: room, rights, another gateway. Lines beyond a MiB are lost.")
            {
                PublicWords = "The audit trail is not on disk.",
            };
    }
}
