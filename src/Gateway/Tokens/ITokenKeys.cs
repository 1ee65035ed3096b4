namespace Gateway.Host.Tokens;

/// <summary>The present keys. Thread-safe.</summary>
internal interface ITokenKeys
{
    /// <summary>Empty until there are any.</summary>
    TokenKeySet Current { get; }

    /// <summary>For a token whose key is not there: the keys after another look, if it is time for one. Bounded in
    /// time. Errors: OperationCanceledException.</summary>
    ValueTask<TokenKeySet> LookAgainAsync(CancellationToken cancellationToken);

    void Start();
}
