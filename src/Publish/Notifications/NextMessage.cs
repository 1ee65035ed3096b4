using Gateway.Publish.Items;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Notifications;

/// <summary>The size of a message before it is written. Under the shard's lock.</summary>
internal static class NextMessage
{
    /// <summary>Whether the notifications of a subscription's next message have more bytes than this, as if data
    /// changes came first. It looks at no more of them than it takes to tell. A keep-alive is never long.</summary>
    public static bool IsLonger(Subscription subscription, long bytes)
    {
        var most = subscription.MaxNotificationsPerPublish;
        return subscription.HasNotifications &&
            (TakeAway<DataChangeForm>(subscription, ref bytes, ref most) ||
            TakeAway<EventForm>(subscription, ref bytes, ref most));
    }

    /// <summary>Those of one kind. True: there are more bytes.</summary>
    private static bool TakeAway<TForm>(Subscription subscription, ref long bytes, ref int most)
        where TForm : struct, INotificationForm
    {
        for (var item = subscription.DirtyItems.Of(TForm.Kind).First; item is not null && most > 0;)
        {
            var count = Math.Min(item.Queue.Count, most);
            most -= count;
            for (var i = 0; i < count; i++)
            {
                bytes -= TForm.SizeOf(item.Queue.At(i).Value);
                if (bytes < 0)
                    return true;
            }

            item = ItemList<DirtyLink>.After(item);
        }

        return false;
    }
}
