namespace Gateway.Transport.Conversation;

/// <summary>
/// The tokens that a side accepts: the newest, and the one before until the first message on the newest or a quarter
/// over its own lifetime, whichever is first (R27). Owner: the read loop (and the lane worker that it waits for).
/// Source: Part 4 §5.6.2, Part 6 §6.7.3.
/// </summary>
internal sealed class ChannelTokens(TimeProvider time)
{
    private IssuedToken? _current;
    private IssuedToken? _previous;

    public IssuedToken? Current => _current;

    /// <summary>True while the newest has not been used by the peer.</summary>
    public bool IsRenewing => _previous is not null;

    /// <returns>The token that falls out (a second renewal before the first was used), for disposal by the caller.
    /// </returns>
    public IssuedToken? Add(IssuedToken token)
    {
        var dropped = _previous;
        _previous = _current;
        _current = token;
        return dropped;
    }

    /// <summary>Errors: SecureChannelException, token unknown or expired.</summary>
    public IssuedToken Find(uint tokenId)
    {
        var token = _current?.TokenId == tokenId ? _current : _previous?.TokenId == tokenId ? _previous : null;
        if (token is null)
            ConversationFault.TokenUnknown("a token that was never issued or is replaced");
        if (token.IsExpired(time, time.GetTimestamp()))
            ConversationFault.TokenExpired();
        return token;
    }

    /// <summary>A message on the newest token has come and is genuine: the one before ends.</summary>
    /// <returns>The token that ended, or null.</returns>
    public IssuedToken? Confirm(IssuedToken used)
    {
        if (_previous is null || !ReferenceEquals(used, _current))
            return null;
        var ended = _previous;
        _previous = null;
        return ended;
    }

    /// <summary>The newest is over: nothing can come any more.</summary>
    public bool IsExpired(long now) => _current is { } token && token.IsExpired(time, now);

    public void Clear()
    {
        _current?.Incoming.Dispose();
        _previous?.Incoming.Dispose();
        _current = null;
        _previous = null;
    }
}
