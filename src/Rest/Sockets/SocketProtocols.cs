using System.Buffers.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace Gateway.Rest.Sockets;

/// <summary>The sub-protocols that a client names in its handshake. A web page cannot set the Authorization of a
/// WebSocket, but its sub-protocols: so one of them may be its login. It is never sent back, but for the standard's own
/// <c>opcua+openapi+…</c> where the client names nothing else that a server could choose (RFC 6455 §4.1).</summary>
internal static class SocketProtocols
{
    /// <summary>Of <c>/api/v1/ws</c>; a client may also name none.</summary>
    public const string Live = "gateway.v1";

    /// <summary>JSON as Part 6 §7.5.2 names it, one message a frame.</summary>
    public const string UaJson = "opcua+uajson";

    /// <summary>Part 6 §G.3: envelopes.</summary>
    public const string OpenApi = "opcua+openapi";

    private const string BasicPrefix = "basic.";
    private const string BearerPrefix = "bearer.";

    /// <summary>Part 6 §7.5.2.</summary>
    private const string OpenApiTokenPrefix = OpenApi + "+";

    /// <summary>Takes the first login out of the sub-protocols. One in an Authorization goes first.</summary>
    public static void MoveLogin(IHeaderDictionary headers)
    {
        var protocols = headers.SecWebSocketProtocol;
        if (protocols.Count == 0)
            return;
        string? login = null;
        var names = new List<string>();
        foreach (var name in NamesOf(protocols))
        {
            var found = AuthorizationOf(name);
            login ??= found;
            if (found is null || IsOpenApi(name))
                names.Add(name);
        }

        if (login is null)
            return;
        headers.SecWebSocketProtocol = new StringValues(string.Join(", ", names));
        if (headers.Authorization.Count == 0)
            headers.Authorization = login;
    }

    /// <summary>One of the standard's is among them.</summary>
    public static bool IsOpcUa(StringValues header) =>
        NamesOf(header).Any(static name => name.StartsWith("opcua+", StringComparison.Ordinal));

    /// <summary>With a token behind it, or without.</summary>
    public static bool IsOpenApi(string name) =>
        name == OpenApi || name.StartsWith(OpenApiTokenPrefix, StringComparison.Ordinal);

    public static IEnumerable<string> NamesOf(StringValues header) => header
        .SelectMany(static line => (line ?? "").Split(','))
        .Select(static name => name.Trim())
        .Where(static name => name.Length > 0);

    private static string? AuthorizationOf(string name)
    {
        if (name.StartsWith(BearerPrefix, StringComparison.OrdinalIgnoreCase))
            return $"Bearer {name.AsSpan(BearerPrefix.Length)}";
        if (name.StartsWith(OpenApiTokenPrefix, StringComparison.Ordinal))
            return $"Bearer {name.AsSpan(OpenApiTokenPrefix.Length)}";
        if (!name.StartsWith(BasicPrefix, StringComparison.OrdinalIgnoreCase))
            return null;
        // One that cannot be read is refused as any login that cannot be read.
        var text = name.AsSpan(BasicPrefix.Length);
        return Base64Url.IsValid(text)
            ? "Basic " + Convert.ToBase64String(Base64Url.DecodeFromChars(text))
            : $"Basic {text}";
    }
}
