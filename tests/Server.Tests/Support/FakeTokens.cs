using System.Text;
using Gateway.Operations.Access;
using Gateway.Server.Users;

namespace Gateway.Server.Tests.Support;

/// <summary>Takes tokens that begin with "right", of one user.</summary>
internal sealed class FakeTokens : ITokenValidator
{
    public bool IsOffered => true;

    public bool TryGetKnown(ReadOnlySpan<byte> token, out TokenVerdict verdict)
    {
        verdict = default;
        return false;
    }

    public ValueTask<TokenVerdict> ValidateAsync(byte[] token, CancellationToken cancellationToken) => new(
        Encoding.UTF8.GetString(token).StartsWith("right", StringComparison.Ordinal)
            ? new TokenVerdict(
                new UserIdentity("anna", "anna", Roles.Observer, UserKind.IssuedToken), TokenFault.None)
            : new TokenVerdict(null, TokenFault.Signature, "wrong"));
}
