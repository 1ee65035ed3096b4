using System.IO.Compression;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace Gateway.Rest.Bodies;

/// <summary>The bodies that may come compressed. The framework's middleware for them would be loaded at the start, and
/// each assembly takes two descriptors. Source: RFC 9110 §8.4.</summary>
internal static class CompressedBody
{
    public const string Known = "gzip, br, deflate";

    public static bool Is(StringValues encoding) => encoding.Count > 0 && NameOf(encoding) != "identity";

    /// <summary>Null: compressed in another way.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Stream? Open(HttpRequest request) => NameOf(request.Headers.ContentEncoding) switch
    {
        "gzip" or "x-gzip" => new GZipStream(request.Body, CompressionMode.Decompress, leaveOpen: true),
        "br" => new BrotliStream(request.Body, CompressionMode.Decompress, leaveOpen: true),
        "deflate" => new ZLibStream(request.Body, CompressionMode.Decompress, leaveOpen: true),
        _ => null,
    };

    /// <summary>Case says nothing in it.</summary>
#pragma warning disable CA1308 // Names of the registry are in lower case.
    private static string NameOf(StringValues encoding) => encoding.ToString().ToLowerInvariant();
#pragma warning restore CA1308
}
