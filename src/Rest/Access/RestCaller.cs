using Gateway.Admission.Clients;
using Gateway.Codec.Structures;
using Gateway.Operations.Access;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;

namespace Gateway.Rest.Access;

/// <summary>Makes the caller of a request: the user that the host has checked, the address, and the connection's
/// protection.</summary>
internal static class RestCaller
{
    public static Caller Of(HttpContext context) =>
        Of(context, LocalesOf(context.Request.Headers.AcceptLanguage));

    /// <param name="context">Of the request.</param>
    /// <param name="locales">Those that a message asks for; null for none.</param>
    public static Caller Of(HttpContext context, string[]? locales) => new(
        context.Features.Get<UserIdentity>(), CallerDoor.Http,
        context.Request.IsHttps ? MessageSecurityMode.SignAndEncrypt : MessageSecurityMode.None,
        isTrustedApplication: false, hasSession: false)
    {
        Address = AddressKey.Of(context.Connection.RemoteIpAddress).ToString(),
        Locales = locales is null ? null : LocaleList.Of(locales),
    };

    /// <summary>By their quality, then in the order of the header. Null for none. Source: Part 6 §7.4.2.</summary>
    internal static string[]? LocalesOf(StringValues header)
    {
        if (header.Count == 0 || !StringWithQualityHeaderValue.TryParseStrictList(header, out var given))
            return null;
        return LocaleList.Of(given
            .Where(static one => one.Quality is not 0 && !one.Value.Equals("*", StringComparison.Ordinal))
            .OrderByDescending(static one => one.Quality ?? 1)
            .Select(static one => one.Value.ToString()));
    }
}
