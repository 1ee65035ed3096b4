using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
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

/// <summary>All configured upstream servers: one session each, whatever the number of clients downstream. Their nodes
/// hang below <c>s=&lt;Name&gt;</c> of <c>urn:gateway:upstreams</c>.</summary>
public sealed partial class OpcUaDriver : IAsyncDisposable
{
    public const string NamespaceUri = "urn:gateway:upstreams";

    private readonly ILogger _log;
    private readonly UaClient _client;
    private readonly List<UpstreamConnector> _connectors = [];

    /// <summary>The options are valid: see <see cref="UpstreamOptions.Validate"/>. The transport is the host's, so that
    /// its limits and instruments are there once. Without a folder nothing is kept over a restart. Errors: <see
    /// cref="InvalidOperationException"/>, fit to be printed, for a file there that cannot be read.</summary>
    public OpcUaDriver(
        UpstreamOptions[] upstreams,
        NodeTable nodes,
        ValueStore values,
        ApplicationCertificate certificate,
        ICertificateValidator validator,
        TimeProvider time,
        ILoggerFactory loggers,
        TransportContext? transport = null,
        UpstreamLimits? limits = null,
        string? folder = null)
    {
        limits ??= UpstreamLimits.Default;
        _log = loggers.CreateLogger<OpcUaDriver>();
        _client = new UaClient(new ClientOptions
        {
            ApplicationName = "OPC UA Gateway",
            Certificate = certificate,
            CertificateValidator = validator,
            TimeProvider = time,
            TransportContext = transport,
            MaxEndpoints = limits.MaxUpstreamEndpoints,
            RequestTimeout = limits.UpstreamRequestTimeout,
        });
        var records = new NamespaceRecords(
            folder is null ? null : Path.Combine(folder, NamespaceRecords.FileName),
            upstreams.Select(options => options.Name), limits, _log);
        var claims = new NamespaceClaims(nodes.Namespaces, limits, records);
        var context = new UpstreamContext(nodes, values, claims, limits, InWords(certificate), time, loggers);
        foreach (var options in upstreams)
        {
            var connection = new ClientUpstreamConnection(_client, Settings(options));
            var earlier = Task.WhenAll(_connectors.ConvertAll(connector => connector.Claimed));
            _connectors.Add(new UpstreamConnector(options, connection, context, AddRoot(nodes, options), earlier));
        }
    }

    /// <summary>Returns at once; connecting goes on for as long as the process lives.</summary>
    public void Start()
    {
        foreach (var connector in _connectors)
        {
            if (connector.Report is { InsecureReason: { } reason } report)
                Insecure(report.Name, report.EndpointUrl, reason);
            connector.Start();
        }
    }

    /// <summary>Each upstream as it is now, in the order of the configuration.</summary>
    public IReadOnlyList<UpstreamReport> Report() => _connectors.ConvertAll(connector => connector.Report);

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

    private static ConnectSettings Settings(UpstreamOptions options) => new()
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

    [LoggerMessage(5010, LogLevel.Warning, "INSECURE: upstream {Upstream} at {EndpointUrl}: {Reason}")]
    private partial void Insecure(string upstream, string endpointUrl, string reason);
}
