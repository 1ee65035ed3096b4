using Microsoft.IdentityModel.Tokens;

namespace Gateway.Host.Tokens;

/// <param name="Id">The <c>kid</c>; empty without.</param>
/// <param name="Key">That checks.</param>
/// <param name="Algorithms">The values of <c>alg</c> that it is for.</param>
internal sealed record TokenKey(string Id, SecurityKey Key, IReadOnlyList<string> Algorithms);
