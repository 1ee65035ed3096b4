using Gateway.AddressSpace.Nodes;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa;

/// <summary>The driver <c>OpcUa</c>, all configured upstream servers: one session each, whatever the number of clients
/// downstream. Their nodes hang below <c>s=&lt;Name&gt;</c> of <c>urn:gateway:upstreams</c>.</summary>
public sealed partial class OpcUaDriver : ISourceDriver
{
    public const string DriverName = "OpcUa";

    public const string NamespaceUri = "urn:gateway:upstreams";

    private readonly UpstreamOptions[] _upstreams;
    private readonly UpstreamLimits _limits;
    private readonly ApplicationCertificate _certificate;
    private readonly string _folder;
    private readonly SourceDriverContext _gateway;
    private readonly ILogger _log;
    private readonly UaClient _client;
    private readonly List<UpstreamConnector> _connectors = [];

    /// <param name="upstreams">Valid: see <see cref="UpstreamOptions.Validate"/>.</param>
    /// <param name="limits">On the answers of each of them.</param>
    /// <param name="certificate">Of this gateway.</param>
    /// <param name="validator">Of the servers' certificates.</param>
    /// <param name="transport">The host's, so that its limits and instruments exist once.</param>
    /// <param name="folder">For the files that are kept over a restart.</param>
    /// <param name="applicationName">The servers see it.</param>
    /// <param name="gateway">The gateway's nodes and values.</param>
    public OpcUaDriver(
        UpstreamOptions[] upstreams,
        UpstreamLimits limits,
        ApplicationCertificate certificate,
        ICertificateValidator validator,
        TransportContext transport,
        string folder,
        string applicationName,
        SourceDriverContext gateway)
    {
        (_upstreams, _limits, _certificate, _folder, _gateway) = (upstreams, limits, certificate, folder, gateway);
        _log = gateway.Loggers.CreateLogger<OpcUaDriver>();
        _client = new UaClient(new ClientOptions
        {
            ApplicationName = applicationName,
            Certificate = certificate,
            CertificateValidator = validator,
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
        var context = new UpstreamContext(nodes, values, claims, _limits, InWords(_certificate), time, loggers);
        foreach (var options in _upstreams)
        {
            var connection = new ClientUpstreamConnection(_client, Settings(options));
            var earlier = Task.WhenAll(_connectors.ConvertAll(connector => connector.Claimed));
            _connectors.Add(new UpstreamConnector(options, connection, context, AddRoot(nodes, options), earlier));
        }
    }

    public void Start()
    {
        foreach (var connector in _connectors)
        {
            if (connector.Report is { InsecureReason: { } reason } report)
                Insecure(report.Name, report.EndpointUrl, reason);
            connector.Start();
        }
    }

    /// <summary>An <see cref="UpstreamReport"/> each.</summary>
    public IReadOnlyList<SourceReport> Report() =>
        _connectors.ConvertAll<SourceReport>(connector => connector.Report);

    public SourceTrace? Trace(NodeHandle node)
    {
        if (_gateway.Nodes.SourceOf(node) is not UpstreamSource source ||
            _connectors.Find(one => ReferenceEquals(one.Source, source)) is not { } connector)
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
        await Task.WhenAll(_connectors.ConvertAll(connector => connector.DisposeAsync().AsTask()))
            .ConfigureAwait(false);
        _client.Dispose();
    }

    internal static NodeId AddRoot(NodeTable nodes, UpstreamOptions options)
    {
        var index = nodes.Namespaces.GetOrAdd(NamespaceUri);
        var root = new NodeId(options.Name, index);
        var batch = new NodeBatch();
        batch.AddObject(
            root, new QualifiedName(options.Name, index), new NodeId(StandardIds.Objects.ObjectsFolder));
        nodes.Apply(batch);
        return root;
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
