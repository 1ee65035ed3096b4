using System.Security.Cryptography;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish.Streams;
using Gateway.Rest.Nodes;

namespace Gateway.Rest.Streams;

/// <summary>One stream, whether a client is connected to it or about to come back. One connection has it at a time: a
/// newer one of the same client ends the older. Memory: one batch of the engine, and its history. Threads:
/// <see cref="History"/> and <see cref="Owner"/> belong to the connection that has the stream; the rest any.</summary>
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

    /// <summary>With the rights that it has now.</summary>
    public Caller Owner { get; set; } = owner;

    /// <summary>The user and the address that it counts for: those that it was opened by.</summary>
    public (string User, string Address) Account { get; } = (owner.Account, owner.Address);

    public ValueStream Values => values;

    public NamedNode[] Nodes => nodes;

    /// <summary>The engine knows its nodes.</summary>
    public bool IsWatching { get; set; }

    /// <summary>What cannot be watched, and why.</summary>
    public List<(uint Handle, StatusCode Status)> Refused { get; } = [];

    public EventHistory History => history;

    /// <summary><c>{"node":"…",</c> of an item.</summary>
    public ReadOnlySpan<byte> PrefixOf(uint handle) => prefixes[handle];

    public bool IsOf(Caller caller) =>
        Owner.Identity is { } user && user.IsSameUser(caller.Identity) && Owner.Account == caller.Account;

    /// <summary>What the client asks for is what it asked for when the stream was opened.</summary>
    public bool IsOf(ReadOnlySpan<NamedNode> asked, double askedInterval)
    {
        if (asked.Length != nodes.Length || askedInterval != interval)
            return false;
        for (var i = 0; i < asked.Length; i++)
        {
            if (asked[i].Text != nodes[i].Text)
                return false;
        }

        return true;
    }

    /// <summary>Ends the connection that has the stream. Null: the stream has ended. Else the caller waits for its
    /// place by <see cref="WaitAsync"/> and leaves by <see cref="Leave"/>.</summary>
    /// <param name="aborted">The client has gone.</param>
    /// <returns>Cancelled then, and when another connection comes.</returns>
    public CancellationTokenSource? TryEnter(CancellationToken aborted)
    {
        lock (_lock)
        {
            if (_isEnded || values.Batches.Completion.IsCompleted)
                return null;
            _connections++;
            // Its callbacks run elsewhere, not under this lock.
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

    /// <summary>Since when nobody is connected; null: somebody is.</summary>
    public long? ParkedAt
    {
        get
        {
            lock (_lock)
                return _connections == 0 ? _parkedAt : null;
        }
    }

    /// <summary>False: somebody is connected, or just came back.</summary>
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

    /// <summary>Once nobody is connected and nobody can come any more.</summary>
    public void Dispose()
    {
        values.Dispose();
        _place.Dispose();
    }
}
