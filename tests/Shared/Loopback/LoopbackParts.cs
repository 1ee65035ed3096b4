using System.Security.Cryptography;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Admission;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Server;
using Gateway.Server.Users;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Gateway.Transport.Security;
using Gateway.Transport.Tracing;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Testing.Loopback;

/// <summary>Everything below the listener as the gateway composes it: standard nodes, trust lists in a folder with the
/// client in <c>trusted/</c>, real validators, no sources that move by themselves, no log. The tags <c>ns=1;i=1</c> …
/// are Doubles below Objects.</summary>
internal sealed class LoopbackParts : IAsyncDisposable
{
    public const int TagCount = 100;

    private const string ApplicationUri = "urn:loopback:server";

    private static readonly SecurityOffer Offer = new() { Policies = SecurityPolicies.All };

    private readonly string _folder = Directory.CreateTempSubdirectory("loopback-").FullName;
    private readonly PkiStore _pki;
    private readonly UserValidator _users;

    public LoopbackParts(TimeProvider time, AdmissionControl? admission = null, TracingOptions? tracing = null)
    {
        Client = MakeClient(time);
        var trusted = Directory.CreateDirectory(Path.Combine(_folder, "trusted", "certs"));
        File.WriteAllBytes(Path.Combine(trusted.FullName, "client.der"), Client.Der);
        _pki = new PkiStore(_folder, time, NullLoggerFactory.Instance, 200);
        Certificate = new ApplicationCertificateStore(_pki).LoadOrCreate(new ApplicationCertificateOptions
        {
            ApplicationUri = ApplicationUri,
            ApplicationName = "Loopback",
        });
        var clients = Validator(CertificatePeerRole.Client);
        Transport = new TransportContext(
            new TransportLimits(), new HttpLimits(),
            admission ?? new AdmissionControl(new AdmissionLimits(), time, true, 200),
            new PlantLateness(), time, NullLoggerFactory.Instance, outgoing: 0);
        Nodes.Namespaces.GetOrAdd(ApplicationUri);
        Values = new ValueStore(time);
        var store = new StoreSource(Values, time);
        StandardNodes.Load(Nodes, Values, store);
        Tags = AddTags(store);
        Publishing = new PublishEngine(
            Nodes, Values, PublishLimits.Default with { PublishShards = 1 }, new PlantLateness(), time,
            NullLogger<PublishEngine>.Instance);
        _users = new UserValidator(
            new UserDirectory([], Roles.Operator, Roles.None), Validator(CertificatePeerRole.User), NoTokens.Instance,
            () => Certificate, Transport.PrivateKeys, time, ServerLimits.Default);
        Options = new UaTcpServerOptions
        {
            Security = Offer,
            Certificate = () => Certificate,
            Validator = clients,
        };
        Server = MakeServer(time, clients, tracing ?? TracingOptions.Off);
    }

    public ApplicationCertificate Client { get; }

    public ApplicationCertificate Certificate { get; }

    public TransportContext Transport { get; }

    public NodeTable Nodes { get; } = new();

    public ValueStore Values { get; }

    public NodeHandle[] Tags { get; }

    public PublishEngine Publishing { get; }

    public UaTcpServerOptions Options { get; }

    public GatewayServer Server { get; }

    public async ValueTask DisposeAsync()
    {
        Server.Dispose();
        await Publishing.DisposeAsync().ConfigureAwait(false);
        Transport.Dispose();
        await _pki.DisposeAsync().ConfigureAwait(false);
        Certificate.Dispose();
        Client.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private static ApplicationCertificate MakeClient(TimeProvider time)
    {
        using var key = RSA.Create(2048);
        return new ApplicationCertificate(SelfSignedCertificate.Create(
            key,
            new ApplicationCertificateOptions
            {
                ApplicationUri = WireClient.ApplicationUri,
                ApplicationName = "Client",
            },
            time.GetUtcNow()));
    }

    private CertificateValidator Validator(CertificatePeerRole role) =>
        new(_pki, new CertificateValidatorOptions { PeerRole = role });

    private NodeHandle[] AddTags(StoreSource store)
    {
        var batch = new NodeBatch();
        var facts = new VariableFacts(
            new NodeId(11), AccessLevel: AccessLevelExType.CurrentRead | AccessLevelExType.CurrentWrite);
        for (var i = 1u; i <= TagCount; i++)
            batch.AddVariable(new NodeId(i, 1), new QualifiedName("Tag" + i, 1), facts, store, new NodeId(85));
        Nodes.Apply(batch);
        var tags = new NodeHandle[TagCount];
        for (var i = 0; i < tags.Length; i++)
        {
            tags[i] = Nodes.Find(new NodeId((uint)i + 1, 1));
            Values.Set(tags[i], new DataValue(new Variant(i + 0.5)));
        }

        return tags;
    }

    private GatewayServer MakeServer(
        TimeProvider time, ICertificateValidator clients, TracingOptions tracing) => new(
        new ServerOptions
        {
            ApplicationUri = ApplicationUri,
            Security = Offer,
            OfferUserName = false,
        },
        new ServerParts
        {
            Nodes = Nodes,
            Values = Values,
            Operations = new NodeOperations(Nodes, Values, new ServerLimits().Operations, time),
            Publishing = Publishing,
            Users = _users,
            Certificate = new OwnCertificate(Certificate),
            Certificates = clients,
            PrivateKeyLane = Transport.PrivateKeys,
            Admission = Transport.Admission,
            Memory = Transport.Budget,
            Failures = FailureAnswers.AtOnce,
            Tracing = new RequestTracing(tracing, time),
            Clock = time,
            Loggers = NullLoggerFactory.Instance,
        });
}
