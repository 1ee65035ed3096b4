namespace Gateway.Server.Users;

/// <summary>Decides whom a token of an authorization service speaks for. Any thread. Source: Part 6 §6.5.3.</summary>
public interface ITokenValidator
{
    /// <summary>False: every token is refused, and endpoints do not offer them.</summary>
    bool IsOffered { get; }

    /// <summary>True: the token was right before and still is. Costs no signature, and is asked before any lockout.
    /// </summary>
    /// <param name="token">UTF-8, as it is written in a header.</param>
    /// <param name="verdict">Of it.</param>
    bool TryGetKnown(ReadOnlySpan<byte> token, out TokenVerdict verdict);

    /// <summary>May wait for the keys of the authorization service. Errors: in the verdict, never an exception but for
    /// cancellation.</summary>
    /// <param name="token">One longer than <see cref="ServerLimits.MaxTokenBytes"/> is not looked at.</param>
    /// <param name="cancellationToken">The peer has gone.</param>
    ValueTask<TokenVerdict> ValidateAsync(byte[] token, CancellationToken cancellationToken);
}
