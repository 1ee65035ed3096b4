using Gateway.Publish.Quotas;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Services;

/// <summary>Ends subscriptions whose session is gone where a newcomer has no room at the server's caps (R46). No
/// notification is sent: there is no session to send it to. Called without a lock; takes the victim's
/// shard's.</summary>
internal sealed class RoomMaker(PublishEngine engine)
{
    /// <summary>Victims of one operation; each gives back at least one of the missing amounts.</summary>
    private const int MaxVictims = 64;

    /// <summary>True: it is worth another try.</summary>
    /// <param name="newcomer">The refused consumer.</param>
    /// <param name="verdict">How.</param>
    /// <param name="wanted">The amount that it wanted.</param>
    /// <param name="isExchange">The newcomer's client itself has given it up.</param>
    public bool TryMakeRoom(Consumer newcomer, QuotaVerdict verdict, in Amount wanted, out bool isExchange)
    {
        isExchange = verdict == QuotaVerdict.Reserved;
        if (verdict is not (QuotaVerdict.Reserved or QuotaVerdict.ServerFull))
            return false;
        // Of a large subscription that was removed the items go on counting until they have left: they first.
        if (!isExchange && wanted.Subscriptions == 0 && LetItemsLeave())
            return true;
        for (var i = 0; i < MaxVictims; i++)
        {
            if (engine.Quotas.Detached.Take(newcomer, wanted, ownOnly: isExchange) is not { } victim)
                return false;
            if (TryEvict(victim))
                return true;
        }

        return false;
    }

    /// <summary>Before a queue is asked for, as it is not refused but revised.</summary>
    public void MakeRoomForQueue(Consumer newcomer, int entries)
    {
        for (var i = 0; i < MaxVictims && entries > 1 && engine.Quotas.IsShortOfQueue(newcomer, entries); i++)
        {
            if (!TryMakeRoom(newcomer, QuotaVerdict.ServerFull, Amount.Queue(entries), out _))
                return;
        }
    }

    private bool LetItemsLeave()
    {
        foreach (var shard in engine.Shards)
        {
            if (shard.Leaving.TryStep())
                return true;
        }

        return false;
    }

    /// <summary>False: it was transferred or ended meanwhile.</summary>
    private bool TryEvict(Subscription victim)
    {
        Consumer consumer;
        while (true)
        {
            consumer = victim.Consumer;
            using (consumer.Shard.Enter())
            {
                if (!ReferenceEquals(victim.Consumer, consumer))
                    continue;
                if (victim.State == SubscriptionState.Closed || victim.Away is not null || !consumer.IsClosed)
                    return false;
                consumer.Shard.RemoveUnderLock(victim);
                break;
            }
        }

        engine.Counters.OnSubscriptionEvicted();
        engine.TellEvicted(consumer.Owner, victim.Id);
        return true;
    }
}
