using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Admission;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations;
using Gateway.Publish;
using Gateway.Testing;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tracing;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Server.Tests.Support;

/// <summary>A server on fake time with the standard's nodes and a plant of its own below Objects, in namespace 1.
/// </summary>
internal sealed class ServerFixture : IDisposable
{
    private uint _lastChannel;

    public ServerFixture(
        Func<ServerOptions, ServerOptions>? configure = null, ILoggerFactory? loggers = null,
        long memoryBudgetBytes = 512 * 1024 * 1024, bool holdsFailures = false, PublishLimits? publish = null)
    {
        Memory = new MemoryBudget(memoryBudgetBytes);
        if (holdsFailures)
            Failures = new FailureAnswers(Time, new TransportLimits(), MakeCounters());
        Values = new ValueStore(Time);
        Nodes.Namespaces.GetOrAdd("urn:test:server");
        StandardNodes.Load(Nodes, Values);
        Store = new StoreSource(Values, Time);
        TestPlant.Load(Nodes, Values, Store, Source);
        Publishing = new PublishEngine(
            Nodes, Values, publish ?? PublishLimits.Default, new PlantLateness(), Time,
            NullLogger<PublishEngine>.Instance);
        Admission = new AdmissionControl(new AdmissionLimits(), Time, true, 200);
        Lane = new PrivateKeyLane(
            new TransportLimits(), Time, MakeCounters(), Admission, new PlantLateness());
        var options = new ServerOptions
        {
            ApplicationUri = "urn:test:server",
            Security = new SecurityOffer
            {
                Policies =
                [
                    SecurityPolicies.Basic256Sha256, SecurityPolicies.Aes256Sha256RsaPss, SecurityPolicies.None,
                ],
            },
        };
        Options = configure?.Invoke(options) ?? options;
        Server = new GatewayServer(Options, new ServerParts
        {
            Nodes = Nodes,
            Values = Values,
            Operations = new NodeOperations(Nodes, Values, Options.Limits.Operations, Time),
            Publishing = Publishing,
            Users = Users,
            Certificate = Own,
            Certificates = Certificates,
            PrivateKeyLane = Lane,
            Admission = Admission,
            Memory = Memory,
            Failures = Failures,
            Tracing = new RequestTracing(TracingOptions.Off, Time),
            Clock = Time,
            Loggers = loggers ?? NullLoggerFactory.Instance,
        });
    }

    public ManualTimeProvider Time { get; } = new();

    public NodeTable Nodes { get; } = new();

    public ValueStore Values { get; }

    public StoreSource Store { get; }

    public SlowSource Source { get; } = new();

    public PublishEngine Publishing { get; }

    public AdmissionControl Admission { get; }

    public MemoryBudget Memory { get; }

    public PrivateKeyLane Lane { get; }

    public FailureAnswers Failures { get; } = FailureAnswers.AtOnce;

    public FakeUsers Users { get; } = new();

    public FakeCertificateValidator Certificates { get; } = new();

    public OwnCertificate Own { get; } = new(TestCertificates.Server);

    public ServerOptions Options { get; }

    public GatewayServer Server { get; }

    public TestClient Connect(
        SecurityPolicy? policy = null, MessageSecurityMode mode = MessageSecurityMode.SignAndEncrypt,
        ApplicationCertificate? certificate = null, string? address = null, ApplicationCertificate? own = null)
    {
        policy ??= SecurityPolicies.None;
        certificate ??= TestCertificates.Client;
        return new TestClient(
            this, ++_lastChannel, policy, policy.IsNone ? MessageSecurityMode.None : mode,
            policy.IsNone ? null : certificate, address, own);
    }

    /// <summary>A client with an active session.</summary>
    public async Task<TestClient> ConnectAsync(string? user = null, SecurityPolicy? policy = null)
    {
        var client = Connect(policy);
        await client.CreateSessionAsync();
        await client.ActivateAsync(user);
        return client;
    }

    public static TransportCounters MakeCounters() => new(new MemoryBudget(0), static _ => { });

    public NodeHandle Find(NodeId id) => Nodes.Find(id);

    /// <summary>Gives a node these rights from now on; null and none: as its namespace says.</summary>
    public void SetRights(
        NodeId id, AccessRestrictionType? restrictions, params (uint Role, PermissionType Permissions)[] permissions)
    {
        var node = Find(id);
        Nodes.Apply(new NodeBatch().Update(node, new NodeDefinition
        {
            NodeId = id,
            NodeClass = Nodes.GetNodeClass(node),
            BrowseName = Nodes.GetBrowseName(node),
            Variable = Nodes.GetVariableFacts(node),
            AccessRestrictions = restrictions,
            RolePermissions =
            [
                .. permissions.Select(
                    one => new RolePermissionType { RoleId = new NodeId(one.Role), Permissions = one.Permissions }),
            ],
        }));
    }

    public void Dispose()
    {
        Server.Dispose();
        Lane.Dispose();
        Publishing.DisposeAsync().AsTask().GetAwaiter().GetResult();
    }
}
