namespace Gateway.Publish.Tests.Model;

/// <summary>
/// A session with its Publish requests and subscriptions, one millisecond at a time: the reference that the engine is
/// compared with. It shares no code with the engine. What it would send lies in <see cref="Sent"/> as text.
/// </summary>
internal sealed class ModelSession(int maxRequests, int maxKept)
{
    private readonly List<(uint Id, string Results)> _requests = [];
    private readonly List<(uint Subscription, uint Sequence)> _statusChanges = [];
    private int _arrivals;
    private long _served;

    public List<ModelSubscription> Subscriptions { get; } = [];

    public List<string> Sent { get; } = [];

    public ModelSubscription? Find(uint id) => Subscriptions.Find(subscription => subscription.Id == id);

    public bool Publish(uint request, (uint Subscription, uint Sequence)[] acknowledgements)
    {
        var results = string.Join(",", acknowledgements.Select(a => Acknowledge(a.Subscription, a.Sequence)));
        if (Subscriptions.Count == 0 && _statusChanges.Count == 0)
            return false;
        _arrivals++;
        if (_requests.Count == maxRequests)
        {
            Sent.Add($"{_requests[0].Id} BadTooManyPublishRequests");
            _requests.RemoveAt(0);
        }

        _requests.Add((request, results));
        Serve();
        return true;
    }

    public void Delete(ModelSubscription subscription)
    {
        Subscriptions.Remove(subscription);
        Serve();
    }

    public void SetEnabled(ModelSubscription subscription, bool enabled)
    {
        subscription.ResetLifetime();
        subscription.Enabled = enabled;
        subscription.More = false;
        subscription.Wants = subscription.Late;
    }

    public void Change(uint node, double value)
    {
        foreach (var subscription in Subscriptions)
        {
            foreach (var item in subscription.Items.Where(item => item.Node == node))
                Change(subscription, item, value);
        }
    }

    public static void Change(ModelSubscription subscription, ModelItem item, double value)
    {
        if (item.Change(value) && !subscription.Dirty.Contains(item))
            subscription.Dirty.Add(item);
    }

    public void Tick(long now)
    {
        var due = Subscriptions.Where(subscription => subscription.Due == now).ToList();
        foreach (var subscription in due)
            Tick(subscription);
        if (due.Count > 0)
            Serve();
    }

    private string Acknowledge(uint id, uint sequence)
    {
        var subscription = Find(id);
        if (subscription is null)
            return "BadSubscriptionIdInvalid";
        return subscription.Kept.RemoveAll(kept => kept.Sequence == sequence) > 0 ? "Good" : "BadSequenceNumberUnknown";
    }

    private void Tick(ModelSubscription subscription)
    {
        subscription.Due += subscription.Interval;
        if (subscription.SeenArrivals != _arrivals)
            subscription.ResetLifetime();
        subscription.SeenArrivals = _arrivals;
        if (--subscription.LifetimeCounter == 0)
        {
            Subscriptions.Remove(subscription);
            _statusChanges.Add((subscription.Id, subscription.NextSequence));
            return;
        }

        if (subscription.Wants)
            subscription.Late = true;
        else
            subscription.Wants = subscription.HasNotifications || !subscription.MessageSent ||
                --subscription.KeepAliveCounter == 0;
    }

    private void Serve()
    {
        while (_requests.Count > 0)
        {
            var next = Subscriptions.Where(subscription => subscription.Wants)
                .OrderByDescending(subscription => subscription.Priority)
                .ThenBy(subscription => subscription.LastServed)
                .FirstOrDefault();
            if (next is null && _statusChanges.Count == 0)
                break;
            var (request, results) = _requests[0];
            _requests.RemoveAt(0);
            if (_statusChanges.Count > 0)
            {
                var (id, sequence) = _statusChanges[0];
                _statusChanges.RemoveAt(0);
                Sent.Add($"{request} {id} #{sequence} BadTimeout more=False kept= acks={results}");
            }
            else
            {
                Send(next!, request, results);
            }
        }

        foreach (var subscription in Subscriptions.Where(s => s.Wants && !s.More))
            subscription.Late = true;
        if (Subscriptions.Count > 0 || _statusChanges.Count > 0)
            return;
        Sent.AddRange(_requests.Select(request => $"{request.Id} BadNoSubscription"));
        _requests.Clear();
    }

    private void Send(ModelSubscription subscription, uint request, string results)
    {
        subscription.LastServed = ++_served;
        subscription.MessageSent = true;
        subscription.ResetKeepAlive();
        subscription.ResetLifetime();
        subscription.Late = false;
        var sequence = subscription.NextSequence;
        var message = "";
        if (subscription.HasNotifications)
        {
            message = TakeNotifications(subscription);
            subscription.NextSequence++;
            if (subscription.Kept.Count == maxKept)
                subscription.Kept.RemoveAt(0);
            subscription.Kept.Add((sequence, message));
            subscription.Wants = subscription.More = subscription.HasNotifications;
        }
        else
        {
            subscription.Wants = subscription.More = false;
        }

        var kept = string.Join(",", subscription.Kept.Select(k => k.Sequence));
        var more = subscription.More;
        Sent.Add($"{request} {subscription.Id} #{sequence} {message} more={more} kept={kept} acks={results}");
    }

    private static string TakeNotifications(ModelSubscription subscription)
    {
        var taken = new List<string>();
        while (subscription.Dirty.Count > 0 && taken.Count < subscription.MaxNotifications)
        {
            var item = subscription.Dirty[0];
            var (value, overflow) = item.Queue[0];
            item.Queue.RemoveAt(0);
            if (item.Queue.Count == 0)
                subscription.Dirty.RemoveAt(0);
            taken.Add($"{item.Node}={value}{(overflow ? "!" : "")}");
        }

        return string.Join(";", taken);
    }
}
