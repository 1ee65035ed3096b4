namespace Gateway.Operations.Access;

/// <summary>The certificate that proved a user, for as long as anybody is this user by it: when trust changes it is
/// judged again (R31). Threads: any.</summary>
/// <param name="thumbprint">Of the leaf.</param>
/// <param name="chain">The leaf, then those issuers that only the user's client knew, DER after DER.</param>
#pragma warning disable CA1001 // Without a timer or a wait handle the source holds nothing.
public sealed class UserCertificate(string thumbprint, byte[] chain)
#pragma warning restore CA1001
{
    private readonly CancellationTokenSource _refused = new();

    public string Thumbprint => thumbprint;

    public ReadOnlyMemory<byte> Chain => chain;

    /// <summary>It no longer passes: whatever its user has open ends.</summary>
    public bool IsRefused => _refused.IsCancellationRequested;

    /// <summary>Cancelled when it no longer passes.</summary>
    public CancellationToken Refused => _refused.Token;

    /// <summary>Does not wait for those who are told.</summary>
    public void Refuse() => _ = _refused.CancelAsync();
}
