using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Scenarios.Events;

/// <summary>One subscription with one event item. The number of each event of the plant is checked, alarms and the
/// brackets of refreshes are counted. Owner: the connection's thread; counts are read as they stand.</summary>
/// <param name="recorder">Gets the age of events.</param>
/// <param name="step">Between the numbers of two events that pass the item's filter.</param>
internal sealed class EventWatcher(Recorder recorder, int step) : ISubscriptionHandler
{
    private readonly TimeProvider _time = TimeProvider.System;
    private long _last = -1;
    private long _alarms;
    private long _ends;

    public ClientSubscription? Subscription { get; private set; }

    public uint QueueSize { get; private set; }

    /// <summary>Of the plant, in order and out of it.</summary>
    public long Events { get; private set; }

    public long Bytes { get; private set; }

    public long Messages { get; private set; }

    public long Missing { get; private set; }

    public long Repeats { get; private set; }

    /// <summary>Of another filter, or of no kind that is known.</summary>
    public long Foreign { get; private set; }

    /// <summary>The server says that the item's queue was full.</summary>
    public long Overflows { get; private set; }

    public long RefreshesRequired { get; private set; }

    /// <summary>NotificationMessages that neither came nor could be had by Republish.</summary>
    public long Lost { get; private set; }

    public long Alarms => Volatile.Read(ref _alarms);

    public long RefreshEnds => Volatile.Read(ref _ends);

    /// <summary>The first and the last arrival of an alarm since <see cref="Forget"/>; 0: none.</summary>
    public long FirstAt { get; private set; }

    public long LastAt { get; private set; }

    public async Task StartAsync(
        ClientSession session, double intervalMs, MonitoredItemCreateRequest item, CancellationToken cancellation)
    {
        var settings = new SubscriptionSettings { PublishingIntervalMs = intervalMs, LifetimeCount = 1000 };
        Subscription = await session.CreateSubscriptionAsync(settings, this, cancellation);
        var results = await Subscription.CreateMonitoredItemsAsync([item], TimestampsToReturn.Both, cancellation);
        if (results[0].StatusCode.IsBad)
            throw new InvalidOperationException($"an event item is refused: {results[0].StatusCode}");
        QueueSize = results[0].RevisedQueueSize;
    }

    /// <summary>Before something new is counted; nothing arrives just now.</summary>
    public void Forget()
    {
        (FirstAt, LastAt) = (0, 0);
        Volatile.Write(ref _alarms, 0);
        Volatile.Write(ref _ends, 0);
    }

    public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes) => Foreign++;

    public void OnEvents(ClientSubscription subscription, ref EventListReader events)
    {
        Messages++;
        var now = _time.GetUtcNow().UtcDateTime;
        var isFirst = true;
        while (events.TryRead(out _, out var fields, out var bytes))
        {
            Bytes += bytes;
            if (fields.Length != EventItem.FieldCount)
                Foreign++;
            else
                Add(fields, now, ref isFirst);
        }
    }

    public void OnLost(ClientSubscription subscription, uint firstSequenceNumber, uint count) => Lost += count;

    public void OnStatusChange(ClientSubscription subscription, StatusCode status) => Lost++;

    private void Add(Variant[] fields, DateTime now, ref bool isFirst)
    {
        switch (fields[EventItem.EventType].AsNodeId().Numeric)
        {
            case StandardIds.ObjectTypes.ProgressEventType:
                AddNumber(fields[EventItem.Context]);
                // The oldest of a message; the others have waited less for it.
                if (isFirst && recorder.IsMeasuring)
                    recorder.Latency.Add((now - fields[EventItem.Time].AsDateTime()).TotalMilliseconds);
                isFirst = false;
                break;
            case StandardIds.ObjectTypes.SystemOffNormalAlarmType when !EventItem.IsOfPlant(fields):
                break;
            case StandardIds.ObjectTypes.SystemOffNormalAlarmType:
                LastAt = _time.GetTimestamp();
                if (FirstAt == 0)
                    FirstAt = LastAt;
                Volatile.Write(ref _alarms, _alarms + 1);
                break;
            case StandardIds.ObjectTypes.RefreshEndEventType:
                LastAt = _time.GetTimestamp();
                Volatile.Write(ref _ends, _ends + 1);
                break;
            case StandardIds.ObjectTypes.RefreshStartEventType:
                break;
            case StandardIds.ObjectTypes.RefreshRequiredEventType:
                RefreshesRequired++;
                break;
            case StandardIds.ObjectTypes.EventQueueOverflowEventType:
                Overflows++;
                break;
            default:
                Foreign++;
                break;
        }
    }

    private void AddNumber(in Variant context)
    {
        Events++;
        var number = context.AsInt64();
        if (_last >= 0 && number <= _last)
            Repeats++;
        else if (_last >= 0 && (number - _last) % step != 0)
            Foreign++;
        else if (_last >= 0)
            Missing += ((number - _last) / step) - 1;
        _last = Math.Max(_last, number);
    }
}
