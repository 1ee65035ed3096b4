using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Admission;
using Gateway.Operations;
using Gateway.Publish;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Users;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tracing;
using Microsoft.Extensions.Logging;

namespace Gateway.Server;

/// <summary>The parts that a <see cref="GatewayServer"/> needs. The host owns them, and they outlive the server.
/// </summary>
public sealed class ServerParts
{
    /// <summary>With the standard's nodes loaded.</summary>
    public required NodeTable Nodes { get; init; }

    public required ValueStore Values { get; init; }

    /// <summary>Shared by all protocols, over the same nodes and values.</summary>
    public required NodeOperations Operations { get; init; }

    public required PublishEngine Publishing { get; init; }

    public required IUserValidator Users { get; init; }

    public required OwnCertificate Certificate { get; init; }

    public required ICertificateValidator Certificates { get; init; }

    public required PrivateKeyLane PrivateKeyLane { get; init; }

    /// <summary>The transport's: one for the process.</summary>
    public required AdmissionControl Admission { get; init; }

    /// <summary>The transport's: waiting requests count there.</summary>
    public required MemoryBudget Memory { get; init; }

    /// <summary>The transport's: it sends responses to failed handshakes.</summary>
    public required FailureAnswers Failures { get; init; }

    /// <summary>Decides which requests are traced.</summary>
    public required RequestTracing Tracing { get; init; }

    /// <summary>Keeps the audit trail; null: nobody does.</summary>
    public IAuditSink? AuditSink { get; init; }

    public required TimeProvider Clock { get; init; }

    public required ILoggerFactory Loggers { get; init; }
}
