using Gateway.Publish.Durable;
using Gateway.Rest.Overview;

namespace Gateway.Host.Overview;

/// <summary>Durable subscriptions that the disk does not take.</summary>
internal sealed class DurableNotices(DurableSubscriptions durable) : INoticeSource
{
    public IEnumerable<Notice> Read()
    {
        if (durable.Failure is { } failure)
            yield return new Notice(
                "disk", "durable", true, $"Durable subscriptions are not on disk: {failure}",
                "Look at the disk of Durable:Path: room, rights, another gateway. A restart would lose what waits.")
            {
                PublicWords = "Durable subscriptions are not on disk.",
            };
    }
}
