using System.Globalization;
using System.Net;
using System.Text;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios.Rest;

/// <summary>A server over HTTP, and how requests to it are written.</summary>
internal sealed class HttpTarget
{
    private const string ApiRoot = "/api/v1";

    /// <summary>The gateway bounds the connections and requests of one address.</summary>
    private const int Addresses = 8;

    private readonly string _fixedHeader;

    /// <param name="url">http://address:port.</param>
    /// <param name="server">Null: its process is not known.</param>
    /// <param name="options">With the user, if there is one.</param>
    public HttpTarget(Uri url, ProcessProbe? server, RunOptions options)
    {
        Server = server;
        Address = new IPEndPoint(IPAddress.Parse(url.Host), url.Port);
        var login = options.User is { } user
            ? $"Authorization: Basic {Convert.ToBase64String(Encoding.UTF8.GetBytes($"{user}:{options.Password}"))}\r\n"
            : string.Empty;
        _fixedHeader = $"Host: {url.Authority}\r\n{login}";
    }

    public IPEndPoint Address { get; }

    public ProcessProbe? Server { get; }

    /// <summary>Loopback addresses one after the other; null elsewhere.</summary>
    public IPAddress? SourceOf(int connection) =>
        IPAddress.IsLoopback(Address.Address) ? new IPAddress([127, 0, 0, (byte)(1 + (connection % Addresses))]) : null;

    /// <param name="path">Below the API's root; one that begins with two slashes is the server's.</param>
    public byte[] Get(string path) => Encoding.UTF8.GetBytes($"GET {PathOf(path)} HTTP/1.1\r\n{_fixedHeader}\r\n");

    public byte[] Send(string method, string path, string body)
    {
        var length = Encoding.UTF8.GetByteCount(body).ToString(CultureInfo.InvariantCulture);
        return Encoding.UTF8.GetBytes(
            $"{method} {PathOf(path)} HTTP/1.1\r\n{_fixedHeader}Content-Type: application/json\r\n" +
            $"Content-Length: {length}\r\n\r\n{body}");
    }

    private static string PathOf(string path) =>
        path.StartsWith("//", StringComparison.Ordinal) ? path[1..] : ApiRoot + path;
}
