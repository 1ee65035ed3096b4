using System.Globalization;
using System.Net;
using Gateway.Client;
using Gateway.Client.Discovery;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Loadtest.Clients;

/// <summary>Opens the run's channels and sessions: one discovery, one certificate for all, one client for each source
/// address.</summary>
internal sealed class SessionFactory : IDisposable
{
    private const int ConnectionsPerAddress = 8000;
    private const int MaxAddresses = 200;
    private const int MaxTries = 20;

    private readonly RunOptions _options;
    private readonly DirectoryInfo _pki;
    private readonly ApplicationCertificate _certificate;
    private readonly Transport.Hosting.TransportContext _transport =
        Transport.Hosting.TransportContext.Standalone(new TransportLimits(), TimeProvider.System);
    private readonly List<UaClient> _clients = [];
    private readonly Lock _lock = new();
    private readonly bool _spreads;
    private EndpointDescription? _endpoint;
    private string[] _namespaces = [];
    private int _opened;
    private int _comeBacks;

    private SessionFactory(RunOptions options, string url)
    {
        _options = options;
        Url = url;
        _spreads = RunOptions.IsLoopback(url) && IPAddress.TryParse(new Uri(url).Host, out _);
        _pki = Directory.CreateTempSubdirectory("loadtest-pki");
        var store = new PkiStore(_pki.FullName, TimeProvider.System, NullLoggerFactory.Instance, 200);
        _certificate = new ApplicationCertificateStore(store).LoadOrCreate(new ApplicationCertificateOptions
        {
            ApplicationUri = "urn:gateway:loadtest",
            ApplicationName = "Gateway loadtest",
            HostNames = ["localhost"],
        });
    }

    public string Url { get; }

    /// <summary>Tries that got a retry hint, so far.</summary>
    public int ComeBacks => Volatile.Read(ref _comeBacks);

    /// <summary>As discovered.</summary>
    public EndpointDescription Endpoint => _endpoint!;

    public static async Task<SessionFactory> CreateAsync(
        RunOptions options, string url, CancellationToken cancellation)
    {
        var factory = new SessionFactory(options, url);
        try
        {
            await factory.DiscoverAsync(cancellation);
            return factory;
        }
        catch
        {
            factory.Dispose();
            throw;
        }
    }

    public ValueTask<ClientSession> OpenAsync(CancellationToken cancellation) =>
        OpenAsync(settings => settings, cancellation);

    /// <summary>As a good client does: it follows a retry hint. Errors: ServiceException of the last try, or of one
    /// without a hint.</summary>
    /// <param name="change">The changes to the run's settings, e.g. the session's name.</param>
    /// <param name="cancellation">Ends the attempt.</param>
    public async ValueTask<ClientSession> OpenAsync(
        Func<ConnectSettings, ConnectSettings> change, CancellationToken cancellation)
    {
        for (var tries = 1; ; tries++)
        {
            try
            {
                return await NextClient().ConnectAsync(_endpoint!, change(Settings()), cancellation);
            }
            catch (ServiceException told) when (told.RetryAfter is not null && tries < MaxTries)
            {
                Interlocked.Increment(ref _comeBacks);
                await Task.Delay(told.RetryAfter.Value, cancellation);
            }
        }
    }

    /// <summary>TCP, HEL and OPN; no session.</summary>
    public ValueTask<SecureChannel> OpenChannelAsync(IChannelHandler handler, CancellationToken cancellation) =>
        NextClient().OpenChannelAsync(_endpoint!, Url, handler, cancellation);

    /// <summary>The tag of a number from 0.</summary>
    public NodeId Tag(int number) =>
        Node(string.Format(CultureInfo.InvariantCulture, _options.TagFormat, _options.FirstTag + number), "--tag");

    /// <param name="text">As <c>ns=</c>, <c>nsu=</c> …</param>
    /// <param name="option">That it came from.</param>
    public NodeId Node(string text, string option) => NodeIdText.TryParse(text, _namespaces, out NodeId id)
        ? id
        : throw new InvalidOperationException(
            $"{option} gives no node id of this server: {text} (its namespaces: {string.Join(", ", _namespaces)})");

    public ConnectSettings Settings() => new()
    {
        EndpointUrl = Url,
        SecurityPolicyUri = _options.PolicyUri,
        SecurityMode = _options.SecurityMode,
        SessionName = "loadtest",
        // As said on the command line: with --policy None a password is a test's.
        AllowInsecureCredentials = true,
        Identity = _options.User is { } user
            ? ClientIdentity.UserName(user, _options.Password ?? string.Empty)
            : ClientIdentity.Anonymous,
    };

    public void Dispose()
    {
        foreach (var client in _clients)
            client.Dispose();
        _transport.Dispose();
        _pki.Delete(recursive: true);
    }

    /// <summary>A port is not free again for a minute after its connection, so each address takes its share over the
    /// whole run.</summary>
    private UaClient NextClient()
    {
        lock (_lock)
        {
            var number = _opened++;
            var index = !_spreads ? 0
                : _options.SourceAddresses > 0 ? number % _options.SourceAddresses
                : Math.Min(number / ConnectionsPerAddress, MaxAddresses - 1);
            while (_clients.Count <= index)
                _clients.Add(NewClient(_spreads ? new IPAddress([127, 0, 0, (byte)(_clients.Count + 1)]) : null));
            return _clients[index];
        }
    }

    private UaClient NewClient(IPAddress? address) => new(new ClientOptions
    {
        ApplicationName = "Gateway loadtest",
        Certificate = _certificate,
        CertificateValidator = new AcceptAll(),
        TransportContext = _transport,
        InlineContinuations = true,
        LocalAddress = address,
        ConnectTimeout = TimeSpan.FromSeconds(30),
        RequestTimeout = TimeSpan.FromSeconds(30),
        SessionTimeout = _options.SessionTimeout,
        KeepAliveInterval = TimeSpan.FromSeconds(30),
    });

    private async Task DiscoverAsync(CancellationToken cancellation)
    {
        var endpoints = await NextClient().GetEndpointsAsync(Url, cancellation);
        _endpoint = EndpointSelector.Choose(endpoints, _options.PolicyUri, _options.SecurityMode) ??
            throw new InvalidOperationException($"the server offers no {_options.Policy} {_options.Mode}");
        await using var session = await OpenAsync(cancellation);
        var values = await NodeReader.ReadAsync(
            session, [new NodeId(StandardIds.Variables.Server_NamespaceArray)], cancellation);
        _namespaces = values[0].Value.AsArray<string>() ?? [];
    }
}
