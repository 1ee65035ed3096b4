namespace Gateway.Server.Work;

/// <summary>Requests that wait for their next turn: clients in a circle, and of one client the requests in a circle, so
/// that a client with many connections gets no more than one with a single. Thread-safe; its lock is a leaf.</summary>
internal sealed class FairTurns
{
    private readonly Lock _lock = new();
    private readonly Dictionary<object, Queue<RequestTurn>> _clients = [];
    private readonly Queue<object> _circle = new();
    private int _count;

    public int Count => Volatile.Read(ref _count);

    public void Add(object client, RequestTurn turn)
    {
        lock (_lock)
        {
            if (!_clients.TryGetValue(client, out var turns))
            {
                _clients.Add(client, turns = new Queue<RequestTurn>());
                _circle.Enqueue(client);
            }

            turns.Enqueue(turn);
            _count++;
        }
    }

    /// <summary>Null if none waits.</summary>
    public RequestTurn? TryTake()
    {
        lock (_lock)
        {
            if (!_circle.TryDequeue(out var client))
                return null;
            var turns = _clients[client];
            var turn = turns.Dequeue();
            _count--;
            if (turns.Count > 0)
                _circle.Enqueue(client);
            else
                _clients.Remove(client);
            return turn;
        }
    }
}
