using Gateway.Publish.Shards;

namespace Gateway.Publish.Sessions;

/// <summary>Wakes a session at the earliest deadline among its held Publish requests.</summary>
internal sealed class DeadlineEntry(PublishSession session) : TimerEntry
{
    public PublishSession Session { get; } = session;
}
