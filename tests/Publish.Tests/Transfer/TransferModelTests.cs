using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Transfer;

/// <summary>Random operations of two users' sessions on two shards, transfers and closes among them, against a simple
/// model: no value is lost, repeated or reordered, whoever gets it, and nothing is left in the end.</summary>
public sealed class TransferModelTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Tags = 4;
    private const int Sessions = 6;

    private readonly PublishFixture _plant = new(Tags, shards: 2);
    private readonly TestClient[] _clients = new TestClient[Sessions];
    private readonly List<TransferModel> _models = [];
    private readonly double[] _values = new double[Tags + 1];
    private readonly HashSet<(TestClient Client, uint Request)> _open = [];
    private readonly List<string> _history = [];
    private Random _random = new(0);
    private uint _lastHandle;
    private int _told;
    private int _toBeTold;

    public static TheoryData<int> Seeds => [.. Enumerable.Range(1, 30)];

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Operations_Random_NothingIsLostRepeatedOrLeft(int seed)
    {
        _random = new Random(seed);
        for (var i = 0; i < Sessions; i++)
            _clients[i] = Open(i);
        for (var node = 1u; node <= Tags; node++)
            Change(node);
        for (var step = 0; step < 1500; step++)
        {
            Step();
            Collect();
        }

        Assert.True(_plant.Engine.Counters.TransferredSubscriptions > 20);
        Finish();
        AssertNothingLeft();
    }

    private static int UserOf(int session) => session % 3 == 0 ? 1 : 0;

    private TestClient Open(int session) => _plant.OpenClient(
        new SessionOwner($"UserName:{UserOf(session)}", false, "urn:a", true));

    private void Step()
    {
        var session = _random.Next(Sessions);
        switch (_random.Next(20))
        {
            case 0:
                Subscribe(session);
                break;
            case 1 when _random.Next(4) == 0:
                Delete(session);
                break;
            case 2:
                Monitor(session);
                break;
            case 3 or 4 or 5:
                Transfer(session);
                break;
            case 6:
                Republish(session);
                break;
            case 7 when _random.Next(6) == 0:
                Close(session);
                break;
            case 8:
                Modify(session);
                break;
            case < 14:
                Publish(session);
                break;
            case < 17:
                Change((uint)_random.Next(1, Tags + 1));
                break;
            default:
                _plant.Advance(_random.Next(1, 60));
                break;
        }
    }

    private TransferModel? Any(Func<TransferModel, bool> where)
    {
        var found = _models.Where(where).ToList();
        return found.Count == 0 ? null : found[_random.Next(found.Count)];
    }

    private void Subscribe(int session)
    {
        if (_models.Count >= 10)
            return;
        var id = _clients[session].Subscribe(
            _random.Next(1, 4) * 20, 5, 100_000, priority: (byte)_random.Next(2), maxNotifications: 3);
        _models.Add(new TransferModel(id, UserOf(session)) { Session = session });
        Note($"subscribe {id} by {session}");
    }

    private void Delete(int session)
    {
        if (Any(model => model.Session == session) is not { } model)
            return;
        Note($"delete {model.Id}");
        Assert.Equal(StatusCode.Good, _clients[session].Delete(model.Id));
        _models.Remove(model);
    }

    private void Monitor(int session)
    {
        if (Any(model => model.Session == session && model.Items.Count < 4) is not { } model)
            return;
        _plant.Advance(0);
        var node = (uint)_random.Next(1, Tags + 1);
        var item = TestClient.Item(node, queueSize: 1000);
        item = item with { RequestedParameters = item.RequestedParameters with { ClientHandle = ++_lastHandle } };
        Assert.Equal(StatusCode.Good, _clients[session].TryMonitor(model.Id, item).StatusCode);
        model.Items.Add(_lastHandle, (node, new Queue<double>([_values[node]]), double.NaN));
        Note($"monitor {model.Id} node {node} handle {_lastHandle}");
    }

    private void Transfer(int session)
    {
        if (Any(_ => true) is not { } model)
            return;
        var initial = _random.Next(3) == 0;
        // The changes under way count as values that wait; without initial values they may be anywhere.
        if (initial)
            _plant.Advance(0);
        Collect();
        Note($"transfer {model.Id} from {model.Session} to {session} {initial}");
        var result = _clients[session].Transfer(model.Id, initial);
        if (model.Session == session)
        {
            Assert.Equal(StatusCodes.BadNothingToDo, result.StatusCode.Code);
            return;
        }

        if (model.User != UserOf(session))
        {
            Assert.Equal(StatusCodes.BadUserAccessDenied, result.StatusCode.Code);
            return;
        }

        Assert.Equal(StatusCode.Good, result.StatusCode);
        Assert.Equal(model.Kept.Keys, result.AvailableSequenceNumbers!);
        _toBeTold += model.Session >= 0 ? 1 : 0;
        model.Session = session;
        if (initial)
            model.Resend();
        _clients[session].Session.Serve();
    }

    private void Republish(int session)
    {
        if (Any(model => model.Session == session) is not { } model)
            return;
        var sequence = (uint)_random.Next(1, (int)model.NextSequence + 1);
        var response = _clients[session].Republish(model.Id, sequence);
        if (!model.Kept.TryGetValue(sequence, out var kept))
        {
            Assert.Equal(StatusCodes.BadMessageNotAvailable, response.ResponseHeader.ServiceResult.Code);
            return;
        }

        var again = new Answer(0, new PublishResponse { NotificationMessage = response.NotificationMessage }, default);
        Assert.Equal(kept, Text(again));
    }

    private void Modify(int session)
    {
        if (Any(model => model.Session == session) is not { } model)
            return;
        Note($"modify {model.Id}");
        var response = _clients[session].Session.ModifySubscription(new ModifySubscriptionRequest
        {
            SubscriptionId = model.Id,
            RequestedPublishingInterval = _random.Next(1, 4) * 20,
            RequestedLifetimeCount = 100_000,
            RequestedMaxKeepAliveCount = 5,
            MaxNotificationsPerPublish = 3,
        });
        Assert.Equal(StatusCode.Good, response.ResponseHeader.ServiceResult);
    }

    /// <summary>The session ends and another one of the same user takes its place.</summary>
    private void Close(int session)
    {
        var delete = _random.Next(2) == 0;
        Note($"close {session} {delete}");
        var closed = _clients[session];
        closed.Session.Close(delete);
        Collect();
        Assert.DoesNotContain(_open, request => request.Client == closed);
        foreach (var model in _models.Where(model => model.Session == session))
            model.Session = delete ? int.MinValue : -1;
        _models.RemoveAll(model => model.Session == int.MinValue);
        _clients[session] = Open(session);
    }

    private void Publish(int session)
    {
        var mine = _models.Where(model => model.Session == session).ToList();
        var acknowledged = mine
            .SelectMany(model => model.Kept.Keys.Where(_ => _random.Next(3) == 0).Select(kept => (model.Id, kept)))
            .ToArray();
        // The request may be answered before TryPublish returns.
        var request = (_clients[session], _clients[session].LastRequest + 1);
        var status = _clients[session].TryPublish(0, acknowledged);
        foreach (var (id, sequence) in acknowledged)
            mine.Single(model => model.Id == id).Kept.Remove(sequence);
        if (status.IsBad)
            Assert.Empty(mine);
        else
            Assert.True(_open.Add(request));
    }

    private void Change(uint node)
    {
        _values[node]++;
        _plant.Set(node, _values[node]);
        foreach (var model in _models)
            model.Change(node, _values[node]);
    }

    private void Collect()
    {
        foreach (var client in _clients)
        {
            foreach (var answer in client.All())
            {
                Assert.True(_open.Remove((client, answer.RequestId)), $"{answer.RequestId} twice");
                if (answer.StatusChange is { } status)
                    Assert.Equal(StatusCodes.GoodSubscriptionTransferred, status.Code);
                _told += answer.StatusChange is null ? 0 : 1;
                if (answer.Response is not null && answer.StatusChange is null)
                    Receive(client, answer);
            }
        }
    }

    private void Receive(TestClient client, Answer answer)
    {
        var model = _models.Find(model => model.Id == answer.SubscriptionId);
        Assert.True(
            model is { Session: >= 0 } && _clients[model.Session] == client,
            $"{answer.SubscriptionId} in the wrong session\n{string.Join('\n', _history.TakeLast(20))}");
        Assert.Equal(model.NextSequence, answer.SequenceNumber);
        if (!answer.IsKeepAlive)
        {
            foreach (var change in answer.Changes)
            {
                Assert.Equal(StatusCode.Good, change.Value.Status);
                model.Receive(change.ClientHandle, change.Value.Value.AsDouble());
            }

            model.Kept.Add(model.NextSequence++, Text(answer));
        }

        Assert.Equal(model.Kept.Keys, answer.Response!.AvailableSequenceNumbers!);
    }

    /// <summary>Every value that is still to come comes, wherever its subscription has got to.</summary>
    private void Finish()
    {
        foreach (var model in _models)
        {
            var heir = Array.FindIndex(_clients, client => UserOf(Array.IndexOf(_clients, client)) == model.User);
            if (model.Session != heir)
                Assert.Equal(StatusCode.Good, _clients[heir].Transfer(model.Id).StatusCode);
            _toBeTold += model.Session >= 0 && model.Session != heir ? 1 : 0;
            model.Session = heir;
        }

        for (var round = 0; round < 400 && _models.Exists(IsWaiting); round++)
        {
            // As many as every subscription can use in a cycle: one that gets no request is not stuck.
            for (var i = 0; i < Sessions * 10; i++)
            {
                Publish(i % Sessions);
                Collect();
            }

            _plant.Advance(20);
            Collect();
        }

        var missing = _models.SelectMany(model => model.Items.Where(item => item.Value.Pending.Count > 0).Select(
            item => $"{model.Id} {item.Key} on {item.Value.Node}: {string.Join(',', item.Value.Pending)}"));
        Assert.True(
            !_models.Exists(IsWaiting),
            $"{string.Join('\n', missing)}\nafter\n{string.Join('\n', _history.TakeLast(40))}");
        Assert.True(_told <= _toBeTold);
        foreach (var client in _clients)
            client.Session.Close(deleteSubscriptions: true);
        Collect();
        Assert.Empty(_open);

        static bool IsWaiting(TransferModel model) => model.Items.Values.Any(item => item.Pending.Count > 0);
    }

    private void AssertNothingLeft()
    {
        var (engine, counters) = (_plant.Engine, _plant.Engine.Counters);
        Assert.Equal((0, 0, 0L, 0L), (
            counters.Subscriptions, counters.MonitoredItems, counters.QueueCapacity, counters.RetransmissionBytes));
        Assert.Equal((0, 0), (engine.Subscriptions.Count, engine.Quotas.Users.Count));
        _plant.Advance(300);
        Assert.All(engine.Shards, shard => Assert.Equal((0, 0), (shard.Scheduled, shard.Changes.Book.Nodes)));
        Assert.Equal(Tags, _plant.Store.CreatedValues - _plant.Store.IdleValues);
    }

    private void Note(string what) => _history.Add($"{_plant.Time.Elapsed.TotalMilliseconds} {what}");

    private static string Text(Answer answer) => string.Join(";", answer.Changes.Select(change =>
        $"{change.ClientHandle}={change.Value.Value.AsDouble()}"));
}
