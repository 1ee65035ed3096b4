using Gateway.Admission.Clients;
using Gateway.Codec.Structures;
using Gateway.Operations.Access;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Access;

/// <summary>Makes the caller of a request: the user that the host has checked, the address, and the connection's
/// protection.</summary>
internal static class RestCaller
{
    private const int MaxLocales = 8;
    private const int MaxLocaleLength = 35;

    public static Caller Of(HttpContext context) => new(
        context.Features.Get<UserIdentity>(), CallerDoor.Http,
        context.Request.IsHttps ? MessageSecurityMode.SignAndEncrypt : MessageSecurityMode.None,
        isTrustedApplication: false, hasSession: false)
    {
        Address = AddressKey.Of(context.Connection.RemoteIpAddress).ToString(),
        Locales = LocalesOf(context.Request.Headers.AcceptLanguage.ToString()),
    };

    /// <summary>In the order of the header: browsers list the best first. Null for none.</summary>
    private static string[]? LocalesOf(string header)
    {
        if (header.Length == 0)
            return null;
        return
        [
            .. header.Split(',', MaxLocales + 1)
                .Take(MaxLocales)
                .Select(static one => one.Split(';')[0].Trim())
                .Where(static one => one.Length is > 0 and <= MaxLocaleLength && one != "*"),
        ];
    }
}
