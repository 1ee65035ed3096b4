using Gateway.AddressSpace.Nodes;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Drift;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Redundancy;
using Gateway.Sources.OpcUa.Reverse;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.OpcUa.Trust;
using Gateway.Sources.Upstreams;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa;

/// <summary>The driver <c>OpcUa</c>, all configured upstream servers: one session each, whatever the number of clients
/// downstream. Their nodes hang below <c>s=&lt;Name&gt;</c> of <c>urn:gateway:upstreams</c>.</summary>
public sealed partial class OpcUaDriver : IUpstreamDriver<UpstreamOptions>
{
    public const string DriverName = "OpcUa";

    /// <summary>Of the key <c>Upstreams:N:Driver</c>, and its default.</summary>
    public const string Key = "opcua";

    private readonly UpstreamOptions[] _upstreams;
    private readonly UpstreamLimits _limits;
    private readonly OwnCertificate _certificate;
    private readonly string _folder;
    private readonly SourceDriverContext _gateway;
    private readonly MirroredConditions _conditions;
    private readonly ILogger _log;
    private readonly UaClient _client;
    private readonly CertificateValidators _validators;
    private readonly PkiStore _pki;
    private readonly SemaphoreSlim _applying = new(1);
    private readonly ReverseConnectOptions _reverseOptions;
    private ReverseConnections? _reverse;
    private UpstreamCertificates? _certificates;
    private UpstreamConnector[] _connectors = [];
    private UpstreamContext? _context;
    private bool _isDisposed;

    /// <param name="upstreams">Valid: see <see cref="UpstreamOptions.Validate"/>.</param>
    /// <param name="limits">On the answers of each of them.</param>
    /// <param name="certificate">Of this gateway.</param>
    /// <param name="validators">Of the servers' certificates.</param>
    /// <param name="pki">Its operators accept changed certificates.</param>
    /// <param name="transport">The host's, so that its limits and instruments exist once.</param>
    /// <param name="folder">For the files that are kept over a restart.</param>
    /// <param name="applicationName">The servers see it.</param>
    /// <param name="gateway">The gateway's nodes and values.</param>
    /// <param name="conditions">Where those of the servers go, and their events.</param>
    /// <param name="reverse">Where servers connect to that cannot be connected to.</param>
    public OpcUaDriver(
        UpstreamOptions[] upstreams,
        UpstreamLimits limits,
        OwnCertificate certificate,
        CertificateValidators validators,
        PkiStore pki,
        TransportContext transport,
        string folder,
        string applicationName,
        SourceDriverContext gateway,
        MirroredConditions conditions,
        ReverseConnectOptions reverse)
    {
        (_upstreams, _limits, _certificate, _folder, _gateway) = (upstreams, limits, certificate, folder, gateway);
        (_validators, _pki, _conditions, _reverseOptions) = (validators, pki, conditions, reverse);
        _log = gateway.Loggers.CreateLogger<OpcUaDriver>();
        _client = new UaClient(new ClientOptions
        {
            ApplicationName = applicationName,
            LiveCertificate = certificate,
            CertificateValidator = validators.Servers,
            TimeProvider = gateway.Time,
            OnFault = DeadlineFailed,
            TransportContext = transport,
            MaxEndpoints = limits.MaxUpstreamEndpoints,
            RequestTimeout = limits.UpstreamRequestTimeout,
        });
    }

    /// <summary>Each upstream's root. Errors: <see cref="InvalidOperationException"/> also for a file of the folder
    /// that cannot be read.</summary>
    public void Prepare()
    {
        var (nodes, values, time, loggers) = _gateway;
        var records = new NamespaceRecords(
            Path.Combine(_folder, NamespaceRecords.FileName),
            _upstreams.Select(options => options.Name), _limits, _log);
        var claims = new NamespaceClaims(nodes.Namespaces, _limits, records);
        _context = new UpstreamContext(
            nodes, values, claims, new SharedModel(), _limits, () => InWords(_certificate.Current), time, loggers)
        {
            Conditions = _conditions,
            Drift = new DriftStore(Path.Combine(_folder, DriftStore.FolderName), _log),
        };
        _certificates = new UpstreamCertificates(Path.Combine(_folder, UpstreamCertificates.FileName), _log);
        _certificates.Configure(PeerNames(_upstreams));
        _pki.TrustedByOperator += _certificates.OnTrustedByOperator;
        _reverse = new ReverseConnections(_reverseOptions, time, _log);
        _reverse.Configure(_upstreams);
        var made = new List<UpstreamConnector>();
        foreach (var options in _upstreams)
            made.Add(Make(options, made));
        _connectors = [.. made];
    }

    /// <summary>Where servers connect to; null: nowhere.</summary>
    internal System.Net.IPEndPoint? ReverseEndPoint => _reverse?.EndPoint;

    public void Start()
    {
        _reverse?.Start();
        foreach (var connector in _connectors)
            Start(connector);
    }

    /// <summary>Other upstreams from now on, in this order. Those that are configured as before go on untouched. One
    /// that is no longer there ends, and its nodes go. One that has changed connects anew: its nodes stay, without
    /// communication until then. Returns once those that end have ended; new ones connect by themselves.</summary>
    /// <param name="next">Valid: see <see cref="UpstreamOptions.Validate"/>.</param>
    public async Task ApplyAsync(UpstreamOptions[] next)
    {
        await _applying.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_isDisposed)
                return;
            var before = _connectors;
            var kept = before.Where(one => Array.Exists(next, one.IsConfiguredAs)).ToList();
            var changed = before.Except(kept).Where(one => Named(one.Name) is not null).ToList();
            // First, so that a fault on the way leaves none behind that has ended.
            _connectors = [.. kept, .. changed];
            var gone = before.Except(_connectors).ToList();
            await Task.WhenAll(gone.Select(EndAsync)
                .Concat(changed.Select(one => Reconfigure(one, Named(one.Name)!)))).ConfigureAwait(false);
            if (gone.Count > 0)
                UpstreamInstruments.BeginDurationsAnew();
            kept.AddRange(changed);

            _reverse!.Configure(next);
            _context!.Claims.Configure(next.Select(static one => one.Name));
            _certificates!.Configure(PeerNames(next));
            var following = new List<UpstreamConnector>(next.Length);
            try
            {
                foreach (var options in next)
                    following.Add(kept.Find(one => one.IsConfiguredAs(options)) ?? Make(options, following));
            }
            catch
            {
                // Nobody else knows of them.
                foreach (var made in following.Except(kept))
                {
                    await made.DisposeAsync().ConfigureAwait(false);
                    made.RemoveNodes();
                }

                throw;
            }

            _connectors = [.. following];
            foreach (var connector in following.Except(kept).Concat(changed))
                Start(connector);
        }
        finally
        {
            _applying.Release();
        }

        UpstreamOptions? Named(string name) => Array.Find(next, one => one.Name == name);
    }

    private Task Reconfigure(UpstreamConnector connector, UpstreamOptions options) =>
        connector.ReconfigureAsync(options, ConnectionOf(options));

    private static async Task EndAsync(UpstreamConnector connector)
    {
        await connector.DisposeAsync().ConfigureAwait(false);
        connector.RemoveNodes();
    }

    /// <summary>An <see cref="UpstreamReport"/> each.</summary>
    public IReadOnlyList<SourceReport> Report() =>
        Array.ConvertAll<UpstreamConnector, SourceReport>(_connectors, connector => connector.Report);

    /// <summary>An operator knows the changed model of that upstream.</summary>
    /// <returns>Null: there is no such upstream.</returns>
    public DriftAcceptance? AcceptDrift(string upstream) =>
        Array.Find(_connectors, one => one.Name == upstream)?.AcceptDrift();

    public SourceTrace? Trace(NodeHandle node)
    {
        if (_gateway.Nodes.SourceOf(node) is not UpstreamSource source ||
            Array.Find(_connectors, one => ReferenceEquals(one.Source, source)) is not { } connector)
            return null;
        var (isWanted, isFollowed) = (
            _gateway.Values.IsWatched(node), source.Items.IsYoungerThan(node, int.MaxValue));
        var status = isWanted && !isFollowed ? _gateway.Values.Read(node).Status : StatusCode.Good;
        return new SourceTrace(connector.Report)
        {
            NeedsInterest = true,
            IsWanted = isWanted,
            IsFollowed = isFollowed,
            SamplingMs = source.Items.SamplingIntervalMs(node),
            // Nothing has come, and nothing can: the store has the upstream's word on the item.
            Refusal = status.CodeBits is StatusCodes.BadWaitingForInitialData or StatusCodes.BadNoCommunication
                ? StatusCode.Good
                : status,
        };
    }

    public async ValueTask DisposeAsync()
    {
        await _applying.WaitAsync().ConfigureAwait(false);
        _isDisposed = true;
        if (_certificates is not null)
            _pki.TrustedByOperator -= _certificates.OnTrustedByOperator;
        await Task.WhenAll(Array.ConvertAll(_connectors, connector => connector.DisposeAsync().AsTask()))
            .ConfigureAwait(false);
        if (_reverse is not null)
            await _reverse.DisposeAsync().ConfigureAwait(false);
        _client.Dispose();
        _applying.Release();
    }

    /// <param name="options">Of one upstream.</param>
    /// <param name="earlier">Those before it in the configuration: they claim their namespaces first.</param>
    private UpstreamConnector Make(UpstreamOptions options, List<UpstreamConnector> earlier) => new(
        options, ConnectionOf(options), _context!,
        UpstreamRoots.Add(_gateway.Nodes, options.Name),
        Task.WhenAll(earlier.ConvertAll(connector => connector.Claimed)));

    private IUpstreamConnection ConnectionOf(UpstreamOptions options) => options.BackupUrls.Length == 0
        ? ConnectionOf(options, options.EndpointUrl)
        : new RedundantConnection(
            options.Name,
            [
                .. options.Urls.Select(url => new RedundantMember(url, ConnectionOf(options, url), _gateway.Time)),
            ],
            _gateway.Time, _log, options.Standby);

    /// <summary>Each server has a certificate of its own.</summary>
    private ClientUpstreamConnection ConnectionOf(UpstreamOptions options, string url) => new(
        _client,
        Settings(options) with
        {
            EndpointUrl = url,
            ServerUri = ReverseNames.ServerUriOf(options, url) is { Length: > 0 } uri ? uri : null,
            CertificateValidator = _validators.MakeFor(new KnownUpstream(PeerName(options, url), _certificates!)),
        },
        _reverse!.DialOf(options, url));

    private static string PeerName(UpstreamOptions options, string url) =>
        url == options.EndpointUrl ? options.Name : $"{options.Name} ({url})";

    private static IEnumerable<string> PeerNames(UpstreamOptions[] all) => all.SelectMany(
        static one => one.Urls.Select(url => PeerName(one, url)));

    private void Start(UpstreamConnector connector)
    {
        if (connector.Report is { InsecureReason: { } reason } report)
            Insecure(report.Name, report.EndpointUrl, reason);
        connector.Start();
    }

    /// <summary>Enough to find it in another server's list.</summary>
    internal static string InWords(ApplicationCertificate certificate) =>
        $"\"{PeerText.Escape(certificate.Certificate.Subject)}\" (thumbprint {certificate.Thumbprint}, ApplicationUri "
        + $"{PeerText.Escape(certificate.ApplicationUri)})"
        + (certificate.File is null ? "" : $", the file {certificate.File}");

    internal static ConnectSettings Settings(UpstreamOptions options) => new()
    {
        EndpointUrl = options.EndpointUrl,
        SecurityPolicyUri = options.SecurityPolicyUri,
        SecurityMode = options.ParsedSecurityMode,
        Identity = options.User.Length == 0
            ? ClientIdentity.Anonymous
            : ClientIdentity.UserName(options.User, options.Password),
        AllowInsecureCredentials = options.AllowInsecurePassword,
        SessionName = "gateway " + options.Name,
    };

    [LoggerMessage(5015, LogLevel.Error, "A fault of ours met a deadline of an upstream's connection; others go on")]
    private partial void DeadlineFailed(Exception error);

    [LoggerMessage(5010, LogLevel.Warning, "INSECURE: upstream {Upstream} at {EndpointUrl}: {Reason}")]
    private partial void Insecure(string upstream, string endpointUrl, string reason);
}
