using System.Text.Json;
using Gateway.Operations.Access;

namespace Gateway.Host.Tokens;

/// <summary>The roles that a token's claims give: the union of those of all values of the claim. Values that the
/// configuration does not name give nothing. Immutable.</summary>
internal sealed class RoleClaims(JwtOptions options)
{
    public Roles Of(JsonElement claims)
    {
        if (Find(claims, options.RoleClaim) is not { } claim)
            return Roles.None;
        var roles = Roles.None;
        foreach (var value in ValuesOf(claim))
            roles |= options.Roles.GetValueOrDefault(value);
        return roles;
    }

    /// <summary>A claim whose name has points in it comes before the path that they could be.</summary>
    private static JsonElement? Find(JsonElement claims, string name)
    {
        if (claims.TryGetProperty(name, out var whole))
            return whole;
        var place = claims;
        foreach (var part in name.Split('.'))
        {
            if (place.ValueKind != JsonValueKind.Object || !place.TryGetProperty(part, out place))
                return null;
        }

        return place;
    }

    /// <summary>A text is a list of words, as scopes are written. Source: RFC 8693 §4.2.</summary>
    private static IEnumerable<string> ValuesOf(JsonElement claim) => claim.ValueKind switch
    {
        JsonValueKind.String => [claim.GetString()!, .. claim.GetString()!.Split(' ')],
        JsonValueKind.Array => claim.EnumerateArray()
            .Where(static one => one.ValueKind == JsonValueKind.String).Select(static one => one.GetString()!),
        _ => [],
    };
}
