using System.Net;
using System.Net.Sockets;
using Gateway.Client;
using Gateway.Codec.Text;
using Gateway.Sources.OpcUa.Health;
using Gateway.Transport.Reverse;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Reverse;

/// <summary>The connections that upstreams open themselves, because a firewall lets nobody in to them
/// (<see cref="ReverseListener"/>). A connection goes to the upstream that has its EndpointUrl, and its ServerUri where
/// one is configured: the session has to have that URI, too (<see cref="ConnectSettings.ServerUri"/>). Threads: any.
/// </summary>
internal sealed partial class ReverseConnections : IAsyncDisposable
{
    /// <summary>Between two lines about servers that nobody has configured.</summary>
    private static readonly TimeSpan LinePause = TimeSpan.FromMinutes(1);

    private readonly ReverseListener? _listener;
    private readonly TimeProvider _time;
    private readonly ILogger _log;
    private volatile UpstreamOptions[] _upstreams = [];
    private readonly Lock _telling = new();
    private long? _toldAt;

    /// <summary>Errors: <see cref="InvalidOperationException"/> where the port cannot be listened at.</summary>
    public ReverseConnections(ReverseConnectOptions options, TimeProvider time, ILogger log)
    {
        (_time, _log) = (time, log);
        if (options.EndPoint is not { } endPoint)
            return;
        try
        {
            _listener = new ReverseListener(endPoint, Find, time, OnOutcome);
        }
        catch (SocketException error)
        {
            throw new InvalidOperationException(
                $"ReverseConnect:Port: {endPoint} cannot be listened at: {error.Message}", error);
        }
    }

    /// <summary>Null: nobody listens.</summary>
    public IPEndPoint? EndPoint => _listener?.LocalEndPoint;

    public void Start() => _listener?.Start();

    /// <summary>These are configured now.</summary>
    public void Configure(IEnumerable<UpstreamOptions> upstreams)
    {
        _upstreams = [.. upstreams.Where(static one => one.ReverseConnect)];
        _listener?.Configure(_upstreams.SelectMany(static one => one.Urls.Select(url => KeyOf(one, url))));
    }

    /// <summary>Makes one for each attempt. Null: the upstream is connected to. One that has to connect by itself is
    /// never connected to, whether anybody listens or not.</summary>
    public Func<ReverseDial>? DialOf(UpstreamOptions upstream, string url) =>
        upstream.ReverseConnect ? () => new ReverseDial(_listener, KeyOf(upstream, url)) : null;

    public ValueTask DisposeAsync() => _listener?.DisposeAsync() ?? default;

    private static string KeyOf(UpstreamOptions upstream, string url) => $"{upstream.Name} {url}";

    private string? Find(string serverUri, string endpointUrl)
    {
        foreach (var upstream in _upstreams)
        {
            foreach (var url in upstream.Urls)
            {
                if (ReverseNames.UrlComparer.Equals(url, endpointUrl) &&
                    ReverseNames.ServerUriOf(upstream, url) is var expected &&
                    (expected.Length == 0 || expected == serverUri))
                    return KeyOf(upstream, url);
            }
        }

        return null;
    }

    private void OnOutcome(ReverseOutcome outcome, IPEndPoint? from, string serverUri, string endpointUrl)
    {
        UpstreamInstruments.Reversed(outcome);
        if (outcome != ReverseOutcome.Unknown)
            return;
        lock (_telling)
        {
            if (_toldAt is { } at && _time.GetElapsedTime(at) < LinePause)
                return;
            _toldAt = _time.GetTimestamp();
        }

        Unknown(from?.Address, PeerText.Escape(serverUri), PeerText.Escape(endpointUrl));
    }

    [LoggerMessage(5074, LogLevel.Warning,
        "A server at {Address} has connected to ReverseConnect:Port as {ServerUri} with {EndpointUrl}: no "
            + "upstream with ReverseConnect=true has these")]
    private partial void Unknown(IPAddress? address, string serverUri, string endpointUrl);
}
