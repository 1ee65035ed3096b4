using Gateway.Transport.Timing;

namespace Gateway.Publish.Sessions;

/// <summary>Wakes a session at the earliest deadline among its held Publish requests.</summary>
internal sealed class DeadlineEntry(PublishSession session) : TimerEntry
{
    public override void OnDue(long now)
    {
        session.Shard.SetDueUnderLock(session);
        session.IsDeadlineDue = true;
    }
}
