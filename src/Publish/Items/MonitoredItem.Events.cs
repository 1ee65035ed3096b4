using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;

namespace Gateway.Publish.Items;

/// <summary>The events of an item that watches for them.</summary>
internal sealed partial class MonitoredItem
{
    /// <summary>An event that has passed the item's filter, as the Variant that holds the array of its selected fields.
    /// Takes over the reference.</summary>
    public void OnEvent(SharedValue fields, NotificationBits bits, ItemValues values)
    {
        if (IsAway && Subscription.Away is { } away && Mode != MonitoringMode.Disabled)
        {
            if (!away.Add(this, fields, bits, 0))
                Extras.Event!.HasLostAway = true;
            fields.Release();
            return;
        }

        TakeInEvent(fields, bits, values);
    }

    /// <summary>As <see cref="OnEvent"/>, whether the item is away or not.</summary>
    public void TakeInEvent(SharedValue fields, NotificationBits bits, ItemValues values)
    {
        if (Mode == MonitoringMode.Disabled)
        {
            fields.Release();
            return;
        }

        _extras?.Event?.OnComing(fields, bits, Queue, DiscardOldest);
        Enqueue(fields, bits, values);
    }

    /// <summary>Events were lost before they came to the item.</summary>
    /// <param name="hasConditions">Perhaps notifications of conditions among them.</param>
    public void OnEventsLost(bool hasConditions)
    {
        if (Mode == MonitoringMode.Disabled || _extras?.Event is not { } watch)
            return;
        if (hasConditions)
            watch.OnConditionsLost();
        if (IsAway && Subscription.Away is { } away)
        {
            watch.HasLostAway = true;
            away.NoteDropped();
            return;
        }

        watch.MakeNotice();
        _extras.Durable?.OnNoted();
        Subscription.Counts.QueueOverflows++;
        if (IsReporting)
            Subscription.DirtyItems.Add(this);
    }

    /// <summary>Drops the queued events of sources with access rules: the item has another user, who may not receive
    /// them.</summary>
    public void DropGuarded()
    {
        var isOfHis = false;
        if (_extras!.Durable is { } durable)
            durable.Rewrite(() => isOfHis = _extras.Event!.DropGuarded(ref Queue));
        else
            isOfHis = _extras.Event!.DropGuarded(ref Queue);
        if (isOfHis)
            OnEventsLost(hasConditions: false);
    }
}
