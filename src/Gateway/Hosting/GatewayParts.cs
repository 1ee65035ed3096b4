using Gateway.AddressSpace.Import;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Admission;
using Gateway.Admission.Load;
using Gateway.Host.Configuration;
using Gateway.Publish;
using Gateway.Server;
using Gateway.Server.Users;
using Gateway.Sources;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Host.Hosting;

/// <summary>Builds the parts in the order of the arrows and ends them in the opposite one. Nothing listens before all
/// of them stand. Errors of the constructor: <see cref="InvalidOperationException"/>, <see cref="IOException"/>, <see
/// cref="UnauthorizedAccessException"/>, each fit to be printed.</summary>
internal sealed class GatewayParts : IAsyncDisposable
{
    private readonly PkiLock _pkiLock;
    private readonly KnownCertificatesFile _known;
    private readonly MemoryTrim _trim;
    private readonly UserValidator _users;

    /// <param name="settings">Checked.</param>
    /// <param name="time">The host's.</param>
    /// <param name="loggers">The host's.</param>
    /// <param name="drivers">Beside those of <see cref="GatewayDrivers"/>.</param>
    public GatewayParts(
        GatewaySettings settings, TimeProvider time, ILoggerFactory loggers, params SourceDriverRegistration[] drivers)
    {
        Pki = InPki(
            settings, () => new PkiStore(settings.PkiPath, time, loggers, settings.MaxRejectedCertificates));
        _pkiLock = new PkiLock(Pki.Root);
        CertificateStore = new ApplicationCertificateStore(Pki);
        Certificate = InPki(settings, () => CertificateStore.LoadOrCreate(new ApplicationCertificateOptions
        {
            ApplicationUri = settings.ApplicationUri,
            ApplicationName = settings.ApplicationName,
            HostNames = settings.HostNames,
        }));
        Clients = new CertificateValidator(Pki, Checks(settings, CertificatePeerRole.Client) with
        {
            AutoTrust = settings.AutoTrust,
        });
        Admission = new AdmissionControl(
            settings.AdmissionLimits, time, settings.IsAdmissionEnabled,
            HandshakeRate.Guess(
                PrivateKeyTiming.Of(Certificate.PrivateKey, time),
                Math.Min(Environment.ProcessorCount, settings.TransportLimits.PrivateKeyWorkers)));
        _known = new KnownCertificatesFile(
            settings.PkiPath, Admission.Known, time, loggers.CreateLogger<KnownCertificatesFile>());
        Transport = new TransportContext(
            settings.TransportLimits, time, loggers, admission: Admission, http: settings.HttpLimits,
            upstreams: settings.Upstreams.Length);

        _trim = new MemoryTrim(Transport.Budget, StateBytes, time, loggers.CreateLogger<MemoryTrim>());

        Nodes = new NodeTable();
        Nodes.Namespaces.GetOrAdd(Certificate.ApplicationUri);
        Values = new ValueStore(time);
        // AutoTrust is about clients: whom we connect to, and hand passwords to, is always checked.
        var servers = new CertificateValidator(Pki, Checks(settings, CertificatePeerRole.Server));
        Sources = new SourceDrivers(
            [.. GatewayDrivers.Of(settings, Certificate, servers, Transport), .. drivers],
            new SourceDriverContext(Nodes, Values, time, loggers));
        var store = new StoreSource(Values, time);
        StandardNodes.Load(Nodes, Values, store);
        if (settings.NodeSetsPath.Length > 0)
            NodeSets = LoadNodeSets(settings.NodeSetsPath, new NodeSetImporter(Nodes, Values, store));

        Publishing = new PublishEngine(
            Nodes, Values, settings.PublishLimits, time, loggers.CreateLogger<PublishEngine>());
        Transport.PrivateKeys.Lateness = Publishing.Counters.TakeWorstLateness;
        Sources.Prepare();
        _users = MakeUsers(settings, time);
        Server = MakeServer(settings, time, loggers);
        Pki.CertificateAccepted += Server.OnCertificateAccepted;
        Pki.TrustListEdited += Server.OnTrustListChanged;
    }

    public PkiStore Pki { get; }

    /// <summary>Another gateway runs on the same folder.</summary>
    public bool IsPkiShared => _pkiLock.IsShared;

    public ApplicationCertificateStore CertificateStore { get; }

    public ApplicationCertificate Certificate { get; }

    /// <summary>Of clients that connect.</summary>
    public CertificateValidator Clients { get; }

    public AdmissionControl Admission { get; }

    public TransportContext Transport { get; }

    public NodeTable Nodes { get; }

    public ValueStore Values { get; }

    public IReadOnlyList<NodeSetResult> NodeSets { get; } = [];

    public PublishEngine Publishing { get; }

    public GatewayServer Server { get; }

    public SourceDrivers Sources { get; }

    public UaTcpServerOptions UaTcpOptions(GatewaySettings settings) => new()
    {
        Security = settings.Security,
        Certificate = () => Certificate,
        Validator = Clients,
    };

    /// <summary>Values begin to move; then connections may come.</summary>
    public void Start()
    {
        _known.Start();
        _trim.Start();
        Publishing.Start();
        Sources.Start();
    }

    public async ValueTask DisposeAsync()
    {
        _trim.Dispose();
        await Sources.DisposeAsync().ConfigureAwait(false);
        Server.Dispose();
        await _known.DisposeAsync().ConfigureAwait(false);
        await Publishing.DisposeAsync().ConfigureAwait(false);
        Transport.Dispose();
        await Pki.DisposeAsync().ConfigureAwait(false);
        _pkiLock.Dispose();
        Certificate.Dispose();
    }

    /// <summary>About what connections, sessions, subscriptions, items and nodes take, in the order of <see
    /// cref="MemoryTrim"/>'s step rather than exactly.</summary>
    private long StateBytes()
    {
        var publishing = Publishing.Counters;
        return (3 * 1024 * Transport.Counters.Connections) + (12 * 1024L * Admission.Http.Count) +
            (6 * 1024 * Server.Counters.Sessions) + (2 * 1024L * publishing.Subscriptions) +
            (200L * publishing.MonitoredItems) + (13 * publishing.QueueCapacity) + (250L * Nodes.Count);
    }

    private static T InPki<T>(GatewaySettings settings, Func<T> make)
    {
        try
        {
            return make();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new InvalidOperationException(
                $"Pki:Path: '{Path.GetFullPath(settings.PkiPath)}' cannot be used: {error.Message}", error);
        }
        catch (InvalidOperationException error)
        {
            throw new InvalidOperationException($"Pki:Path: {error.Message}", error);
        }
    }

    private static IReadOnlyList<NodeSetResult> LoadNodeSets(string path, NodeSetImporter importer)
    {
        try
        {
            return importer.LoadFolder(Path.GetFullPath(path));
        }
        catch (Exception error) when (error is NodeSetException or IOException or UnauthorizedAccessException)
        {
            throw new InvalidOperationException($"NodeSets:Path: {error.Message}", error);
        }
    }

    /// <summary>Which checks of Part 4 §6.1.3 the operator has switched off, each by its own key: for every peer.
    /// </summary>
    private static CertificateValidatorOptions Checks(GatewaySettings settings, CertificatePeerRole role) => new()
    {
        AcceptUnknownRevocation = settings.AcceptUnknownRevocation,
        AcceptMissingKeyUsage = settings.AcceptMissingKeyUsage,
        AcceptMissingDataEncipherment = settings.AcceptMissingDataEncipherment,
        Limits = settings.TransportLimits,
        PeerRole = role,
    };

    private UserValidator MakeUsers(GatewaySettings settings, TimeProvider time)
    {
        var certificates = new CertificateValidator(Pki, Checks(settings, CertificatePeerRole.User) with
        {
            PinnedThumbprints = settings.Users.Select(user => user.Thumbprint ?? "").ToHashSet(),
        });
        return new UserValidator(
            new UserDirectory(settings.Users, settings.AnonymousRoles, settings.TrustedUserRoles),
            certificates, () => Certificate, Transport.PrivateKeys, time, settings.ServerLimits);
    }

    private GatewayServer MakeServer(GatewaySettings settings, TimeProvider time, ILoggerFactory loggers) => new(
        new ServerOptions
        {
            ApplicationUri = Certificate.ApplicationUri,
            ApplicationName = settings.ApplicationName,
            SoftwareVersion = ProductVersion.Text,
            BuildNumber = ProductVersion.Text,
            EndpointUrls = settings.EndpointUrls,
            FallbackEndpointUrl = TransportProfiles.UaTcp.UrlOf(
                System.Net.Dns.GetHostName(), settings.OpcUaEndPoint.Port),
            Security = settings.Security,
            OfferAnonymous = settings.AnonymousRoles is not null,
            OfferUserName = settings.Users.Any(user => user.Password is not null),
            Limits = settings.ServerLimits,
        },
        new ServerParts
        {
            Nodes = Nodes,
            Values = Values,
            Publishing = Publishing,
            Users = _users,
            Certificate = Certificate,
            Certificates = Clients,
            PrivateKeyLane = Transport.PrivateKeys,
            Admission = Admission,
            Memory = Transport.Budget,
            Failures = Transport.Failures,
            Clock = time,
            Loggers = loggers,
        });
}
