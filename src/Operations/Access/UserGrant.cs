namespace Gateway.Operations.Access;

/// <summary>The ground on which a user is let in, for as long as anybody is this user by it: an entry of the
/// configuration, or a certificate. Once it is refused, all that its user has open is judged again or ends (R31).
/// Threads: any.</summary>
#pragma warning disable CA1001 // Without a timer or a wait handle the source holds nothing.
public class UserGrant
#pragma warning restore CA1001
{
    private readonly CancellationTokenSource _refused = new();

    /// <summary>It no longer holds.</summary>
    public bool IsRefused => _refused.IsCancellationRequested;

    /// <summary>Cancelled when it no longer holds.</summary>
    public CancellationToken Refused => _refused.Token;

    /// <summary>Does not wait for those who are told.</summary>
    public void Refuse() => _ = _refused.CancelAsync();
}
