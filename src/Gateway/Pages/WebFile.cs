using System.Security.Cryptography;

namespace Gateway.Host.Pages;

/// <summary>A file of the console, in memory in each form in which browsers may take it. Never changes.</summary>
internal sealed class WebFile(string path, byte[] bytes)
{
    /// <summary>The build puts a hash of the content into the names below.</summary>
    private const string HashedFolder = "assets/";

    private readonly string _hash = Convert.ToHexStringLower(SHA256.HashData(bytes).AsSpan(0, 8));

    /// <summary>Below the folder of all, with slashes.</summary>
    public string Path => path;

    public string ContentType { get; } = TypeOf(path);

    /// <summary>A name that stands for one content for ever.</summary>
    public bool IsHashed { get; } = path.StartsWith(HashedFolder, StringComparison.Ordinal);

    /// <summary>Null: the build made none, because it would not be smaller.</summary>
    public byte[]? Brotli { get; init; }

    public byte[]? Gzip { get; init; }

    /// <summary>The smallest form that the client takes; without an encoding, the file as it is. Each form has an
    /// entity tag of its own.</summary>
    public (string? Encoding, byte[] Bytes, string Tag) FormFor(HttpRequest request)
    {
        if (Brotli is not null && AcceptedEncodings.Has(request, "br"))
            return ("br", Brotli, $"\"{_hash}-br\"");
        return Gzip is not null && AcceptedEncodings.Has(request, "gzip")
            ? ("gzip", Gzip, $"\"{_hash}-gzip\"")
            : (null, bytes, $"\"{_hash}\"");
    }

    private static string TypeOf(string path) => System.IO.Path.GetExtension(path) switch
    {
        ".html" => "text/html; charset=utf-8",
        ".js" => "text/javascript; charset=utf-8",
        ".css" => "text/css; charset=utf-8",
        ".svg" => "image/svg+xml",
        ".json" => "application/json",
        _ => "application/octet-stream",
    };
}
