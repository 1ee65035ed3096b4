using Gateway.Codec.Binary;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Durable;

/// <summary>
/// Writes the subscription itself, with which the records before it count.
/// <code>
/// clean | time | lifetime left | hours, times, parameters, sequence number | owner | kept messages | deleted items
///     | numbers ahead | memo of the session, its id and its time-out | digest of the access rules
/// </code>
/// </summary>
internal static class CommitRecord
{
    /// <summary>Behind what changes by time alone: kind, clean, time and lifetime left.</summary>
    public const int VolatileBytes = 1 + 1 + sizeof(long) + sizeof(uint);

    /// <summary>Under the shard's lock. The sequence numbers that it allows count once it is on disk
    /// (<see cref="DurableState.ConfirmNumbers"/>).</summary>
    /// <param name="writer">Empty.</param>
    /// <param name="state">Of the subscription.</param>
    /// <param name="isClean">The gateway ends, and nothing follows.</param>
    /// <param name="now">On the wall clock: the time until the next start counts as lifetime.</param>
    /// <param name="rules">The access rules by which its events have come (R36).</param>
    public static void Write(
        ref UaBinaryWriter writer, DurableState state, bool isClean, DateTime now, ulong rules)
    {
        var subscription = state.Subscription;
        writer.WriteByte((byte)SavedKind.Commit);
        writer.WriteBoolean(isClean);
        writer.WriteInt64(now.Ticks);
        writer.WriteUInt32(subscription.LifetimeCounter);
        writer.WriteUInt32(subscription.Id);
        writer.WriteUInt32(state.LifetimeHours);
        var times = subscription.Times;
        writer.WriteDouble(times.PublishingIntervalMs);
        writer.WriteUInt32(times.LifetimeCount);
        writer.WriteUInt32(times.MaxKeepAliveCount);
        writer.WriteInt32(subscription.MaxNotificationsPerPublish);
        writer.WriteByte(subscription.Priority);
        writer.WriteBoolean(subscription.PublishingEnabled);
        writer.WriteBoolean(subscription.MessageSent);
        writer.WriteUInt32(subscription.LastItemId);
        writer.WriteUInt32(subscription.NextSequenceNumber);
        WriteOwner(ref writer, subscription.Consumer.Owner);
        lock (subscription.Consumer.Gate)
        {
            var kept = subscription.Retransmission;
            writer.WriteInt32(kept.Count);
            for (var i = 0; i < kept.Count; i++)
                writer.WriteUInt32(kept.SequenceNumberAt(i));
        }

        writer.WriteInt32(state.Deleted.Count);
        foreach (var id in state.Deleted)
            writer.WriteUInt32(id);
        // Behind the last one nothing leaves: the next process goes on without a gap.
        var ahead = isClean ? 0 : state.NumbersAhead;
        writer.WriteUInt32(ahead);
        state.PrepareNumbers(ahead);
        WriteMemo(ref writer, subscription.Consumer);
        writer.WriteUInt64(rules);
    }

    /// <summary>Null: the session ends with the process.</summary>
    private static void WriteMemo(ref UaBinaryWriter writer, Consumer consumer)
    {
        ISessionMemo? memo;
        lock (consumer.Gate)
            memo = (consumer as PublishSession)?.MemoUnderGate;
        var bytes = memo?.Make();
        writer.WriteByteString(bytes);
        if (bytes is null)
            return;
        writer.WriteGuid(consumer.Owner.SessionId.Guid);
        writer.WriteDouble(memo!.Timeout.TotalMilliseconds);
    }

    private static void WriteOwner(ref UaBinaryWriter writer, SessionOwner owner)
    {
        writer.WriteString(owner.UserKey);
        writer.WriteBoolean(owner.IsAnonymous);
        writer.WriteString(owner.ApplicationUri);
        writer.WriteBoolean(owner.IsSigned);
        writer.WriteString(owner.Certificate);
        writer.WriteString(owner.Address);
    }
}
