using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Model;

/// <summary>Random operations on the engine and on a simple model of it: every message of both is compared.</summary>
public sealed class PublishModelTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Tags = 6;
    private const int MaxRequests = 4;

    private readonly PublishFixture _plant = new(
        Tags, new PublishLimits { MaxPublishRequestsPerSession = MaxRequests, MinSubscriptionLifetimeMs = 1 });

    private readonly TestClient[] _clients;
    private readonly ModelSession[] _models;
    private readonly double[] _values = new double[Tags + 1];
    private readonly List<string> _history = [];
    private Random _random = new(0);
    private long _now;

    public PublishModelTests()
    {
        _clients = [_plant.OpenClient(), _plant.OpenClient()];
        _models = [new ModelSession(MaxRequests, 2 * MaxRequests), new ModelSession(MaxRequests, 2 * MaxRequests)];
        for (var node = 1u; node <= Tags; node++)
            _plant.Set(node, 0);
    }

    public static TheoryData<int> Seeds => [.. Enumerable.Range(1, 40)];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Operations_Random_EngineSendsWhatTheModelSends(int seed)
    {
        _random = new Random(seed);
        for (var step = 0; step < 1500; step++)
        {
            var session = _random.Next(2);
            switch (_random.Next(20))
            {
                case 0:
                    Subscribe(session);
                    break;
                case 1 when _random.Next(3) == 0:
                    Delete(session);
                    break;
                case 2 or 3:
                    Monitor(session);
                    break;
                case 4 when _random.Next(2) == 0:
                    DeleteItem(session);
                    break;
                case 5:
                    SetPublishing(session);
                    break;
                case 6:
                    Republish(session);
                    break;
                case < 12:
                    Publish(session);
                    break;
                case < 16:
                    Change();
                    break;
                default:
                    Advance(_random.Next(1, 80));
                    break;
            }

            Compare(step);
        }

        Assert.True(_plant.Engine.Counters.Notifications > 50);
        foreach (var client in _clients)
            client.Session.Close(deleteSubscriptions: true);
        var counters = _plant.Engine.Counters;
        Assert.Equal((0, 0, 0L, 0L), (
            counters.Subscriptions, counters.MonitoredItems, counters.QueueCapacity, counters.RetransmissionBytes));
        Advance(0);
        Assert.Equal(Tags, _plant.Store.CreatedValues - _plant.Store.IdleValues);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private static string Text(Answer answer)
    {
        if (answer.Response is not { } response)
            return $"{answer.RequestId} {answer.Fault}";
        var body = answer.StatusChange?.ToString() ?? string.Join(";", answer.Changes.Select(change =>
            $"{change.ClientHandle}={change.Value.Value.AsDouble()}{(change.Value.Status.Code != 0 ? "!" : "")}"));
        return $"{answer.RequestId} {response.SubscriptionId} #{answer.SequenceNumber} {body} " +
            $"more={response.MoreNotifications} kept={string.Join(",", response.AvailableSequenceNumbers!)} " +
            $"acks={string.Join(",", response.Results!.Select(r => r.Code == 0 ? "Good" : r.ToString()))}";
    }

    private void Compare(int step)
    {
        for (var session = 0; session < 2; session++)
        {
            var sent = _clients[session].All().Select(Text).ToList();
            Assert.True(
                sent.SequenceEqual(_models[session].Sent),
                $"step {step} session {session}\nengine: {string.Join("\n        ", sent)}\n" +
                $"model:  {string.Join("\n        ", _models[session].Sent)}\n" +
                $"after:  {string.Join("\n        ", _history.TakeLast(12))}");
            _models[session].Sent.Clear();
        }
    }

    private ModelSubscription? Any(int session)
    {
        var subscriptions = _models[session].Subscriptions;
        return subscriptions.Count == 0 ? null : subscriptions[_random.Next(subscriptions.Count)];
    }

    private void Subscribe(int session)
    {
        if (_models[session].Subscriptions.Count >= 4)
            return;
        var (interval, keepAlive) = (_random.Next(1, 6) * 20, _random.Next(1, 5));
        var lifetime = keepAlive * _random.Next(3, 10);
        var (enabled, priority) = (_random.Next(4) > 0, _random.Next(3));
        var maxNotifications = _random.Next(1, 6);
        var id = _clients[session].Subscribe(
            interval, (uint)keepAlive, (uint)lifetime, enabled, (byte)priority, (uint)maxNotifications);
        _models[session].Subscriptions.Add(new ModelSubscription(id, interval, keepAlive, lifetime, _now)
        {
            Priority = priority,
            MaxNotifications = maxNotifications,
            Enabled = enabled,
        });
        _history.Add($"{_now} subscribe {session} {id} every {interval} keep {keepAlive} life {lifetime} {enabled}");
    }

    private void Delete(int session)
    {
        if (Any(session) is not { } subscription)
            return;
        _history.Add($"{_now} delete {subscription.Id}");
        Assert.Equal(StatusCode.Good, _clients[session].Delete(subscription.Id));
        _models[session].Delete(subscription);
    }

    private void Monitor(int session)
    {
        if (Any(session) is not { } subscription)
            return;
        var (node, size, oldest) = ((uint)_random.Next(1, Tags + 1), _random.Next(1, 5), _random.Next(2) == 0);
        // Two items on one node get its changes in no particular order.
        if (subscription.Items.Exists(other => other.Node == node))
            return;
        var item = new ModelItem(++subscription.LastItem, node, size, oldest);
        _history.Add($"{_now} monitor {subscription.Id} node {node} size {size} {oldest}");
        // The order among items is that in which changes reach them; see below.
        Advance(0);
        Assert.Equal(item.Id, _clients[session].Monitor(subscription.Id, node, (uint)size, oldest));
        subscription.ResetLifetime();
        subscription.Items.Add(item);
        ModelSession.Change(subscription, item, _values[node]);
    }

    private void DeleteItem(int session)
    {
        if (Any(session) is not { Items.Count: > 0 } subscription)
            return;
        var item = subscription.Items[_random.Next(subscription.Items.Count)];
        _history.Add($"{_now} delete item {subscription.Id} {item.Id}");
        // The engine hands changes out when it sweeps: the test lets it catch up, as a sweep would.
        Advance(0);
        Assert.Equal(StatusCode.Good, _clients[session].DeleteItem(subscription.Id, item.Id));
        subscription.ResetLifetime();
        subscription.Items.Remove(item);
        subscription.Dirty.Remove(item);
    }

    private void SetPublishing(int session)
    {
        if (Any(session) is not { } subscription)
            return;
        var enabled = _random.Next(4) > 0;
        _history.Add($"{_now} publishing {subscription.Id} {enabled}");
        _clients[session].SetPublishing(subscription.Id, enabled);
        _models[session].SetEnabled(subscription, enabled);
    }

    private void Publish(int session)
    {
        var kept = _models[session].Subscriptions
            .SelectMany(subscription => subscription.Kept.Select(k => (subscription.Id, k.Sequence))).ToArray();
        var acknowledgements = kept.Where(_ => _random.Next(3) > 0).ToList();
        if (_random.Next(10) == 0)
            acknowledgements.Add(((uint)_random.Next(1, 20), (uint)_random.Next(1, 20)));
        // What changed reaches the items first: a LATE answer takes what is there.
        Advance(0);
        var status = _clients[session].TryPublish(0, [.. acknowledgements]);
        var held = _models[session].Publish(_clients[session].LastRequest, [.. acknowledgements]);
        _history.Add($"{_now} publish {session} {_clients[session].LastRequest} {status}");
        Assert.Equal(held ? StatusCode.Good : StatusCodes.BadNoSubscription, status);
    }

    private void Republish(int session)
    {
        if (Any(session) is not { } subscription)
            return;
        var sequence = (uint)_random.Next(1, (int)subscription.NextSequence + 1);
        var kept = subscription.Kept.Find(k => k.Sequence == sequence);
        var response = _clients[session].Republish(subscription.Id, sequence);
        subscription.ResetLifetime();
        if (kept.Message is null)
        {
            Assert.Equal(StatusCodes.BadMessageNotAvailable, response.ResponseHeader.ServiceResult.Code);
            return;
        }

        var answer = new Answer(0, new PublishResponse { NotificationMessage = response.NotificationMessage }, default);
        Assert.Equal(kept.Message, string.Join(";", answer.Changes.Select(change =>
            $"{change.ClientHandle}={change.Value.Value.AsDouble()}{(change.Value.Status.Code != 0 ? "!" : "")}")));
    }

    private void Change()
    {
        var (node, value) = ((uint)_random.Next(1, Tags + 1), _random.Next(4));
        _history.Add($"{_now} change {node}={value}");
        _values[node] = value;
        _plant.Set(node, value);
        foreach (var model in _models)
            model.Change(node, value);
    }

    private void Advance(int milliseconds)
    {
        if (milliseconds > 0)
            _history.Add($"{_now} advance {milliseconds}");
        _plant.Advance(milliseconds);
        for (var i = 0; i < milliseconds; i++)
        {
            _now++;
            foreach (var model in _models)
                model.Tick(_now);
        }
    }
}
