using System.Security.Cryptography;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish.Streams;
using Gateway.Rest.Budgets;
using Gateway.Rest.Events;
using Gateway.Rest.Nodes;

namespace Gateway.Rest.Streams;

/// <summary>One stream, while a client is connected or may reconnect. One connection has it at a time: a newer one of
/// the same client ends the older. Memory: one batch of the engine, and its history. Threads: <see cref="History"/> and
/// <see cref="Owner"/> belong to the connection that has the stream; the rest any.</summary>
internal sealed class LiveStream(
    Caller owner, ValueStream values, double interval, NamedNode[] nodes, byte[][] prefixes, EventHistory history)
    : IDisposable
{
    private const int KeyBytes = 16;

    private readonly Lock _lock = new();
    private readonly SemaphoreSlim _place = new(1);
    private CancellationTokenSource? _newest;
    private int _connections;
    private bool _isEnded;
    private long _parkedAt;

    /// <summary>Unguessable; the first part of its events' ids.</summary>
    public string Key { get; } = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(KeyBytes));

    /// <summary>With its present permissions.</summary>
    public Caller Owner { get; set; } = owner;

    /// <summary>The user and the address that the stream counts for: those that opened it.</summary>
    public (string User, string Address) Account { get; } = (owner.Account, owner.Address);

    public ValueStream Values => values;

    public NamedNode[] Nodes => nodes;

    /// <summary>The nodes are notifiers, of which it brings the events; null: it brings values.</summary>
    public EventForm? Form { get; init; }

    /// <summary>Of a stream of events with alarms; null: it has none.</summary>
    public RefreshPace? Refreshes { get; init; }

    /// <summary>The bytes of its nodes and its history; they go back at its end. Null: nobody counts them.</summary>
    public Holding? Memory { get; init; }

    /// <summary>The nodes that cannot be watched, each with the reason.</summary>
    public List<(uint Handle, StatusCode Status)> Refused { get; } = [];

    public EventHistory History => history;

    /// <summary>The start of an item's entry: <c>{"node":"…",</c>.</summary>
    public ReadOnlySpan<byte> PrefixOf(uint handle) => prefixes[handle];

    public bool IsOf(Caller caller) =>
        Owner.Identity is { } user && user.IsSameUser(caller.Identity) && Owner.Account == caller.Account;

    /// <summary>True if the client asks for the same nodes, interval and events as when it opened the stream.</summary>
    public bool IsOf(ReadOnlySpan<NamedNode> asked, double askedInterval, EventForm? form)
    {
        if (asked.Length != nodes.Length || askedInterval != interval || form?.Text != Form?.Text)
            return false;
        for (var i = 0; i < asked.Length; i++)
        {
            if (asked[i].Text != nodes[i].Text)
                return false;
        }

        return true;
    }

    /// <summary>Ends the connection that has the stream. Null: the stream has ended. Otherwise the caller waits for its
    /// place by <see cref="WaitAsync"/> and leaves by <see cref="Leave"/>.</summary>
    /// <param name="aborted">Cancelled when the client disconnects.</param>
    /// <returns>Cancelled when the client disconnects or another connection takes the stream.</returns>
    public CancellationTokenSource? TryEnter(CancellationToken aborted)
    {
        lock (_lock)
        {
            if (_isEnded || values.Batches.Completion.IsCompleted)
                return null;
            _connections++;
            // Not Cancel: the callbacks must not run under this lock.
            _ = _newest?.CancelAsync();
            return _newest = CancellationTokenSource.CreateLinkedTokenSource(aborted);
        }
    }

    public Task WaitAsync(CancellationTokenSource connection) => _place.WaitAsync(connection.Token);

    public void Leave(CancellationTokenSource connection, bool hadPlace, long now)
    {
        if (hadPlace)
            _place.Release();
        lock (_lock)
        {
            _connections--;
            _parkedAt = now;
            if (ReferenceEquals(_newest, connection))
                _newest = null;
            connection.Dispose();
        }
    }

    /// <summary>Timestamp at which the last connection left; null: a client is connected.</summary>
    public long? ParkedAt
    {
        get
        {
            lock (_lock)
                return _connections == 0 ? _parkedAt : null;
        }
    }

    /// <summary>False: a client is connected, or has just reconnected.</summary>
    public bool TryEndParked()
    {
        lock (_lock)
        {
            if (_connections > 0)
                return false;
            _isEnded = true;
        }

        Dispose();
        return true;
    }

    /// <summary>Only after the last connection has left and when none can come any more.</summary>
    public void Dispose()
    {
        values.Dispose();
        _place.Dispose();
        Memory?.Dispose();
    }
}
