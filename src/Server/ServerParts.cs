using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Admission;
using Gateway.Operations;
using Gateway.Publish;
using Gateway.Server.Users;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Microsoft.Extensions.Logging;

namespace Gateway.Server;

/// <summary>What a <see cref="GatewayServer"/> is built on; all of it is owned by the host and outlives the server.
/// </summary>
public sealed class ServerParts
{
    /// <summary>The standard's nodes are loaded.</summary>
    public required NodeTable Nodes { get; init; }

    public required ValueStore Values { get; init; }

    /// <summary>Those of all doors, over the same nodes and values.</summary>
    public required NodeOperations Operations { get; init; }

    public required PublishEngine Publishing { get; init; }

    public required IUserValidator Users { get; init; }

    public required ApplicationCertificate Certificate { get; init; }

    public required ICertificateValidator Certificates { get; init; }

    public required PrivateKeyLane PrivateKeyLane { get; init; }

    /// <summary>The transport's: one for the process.</summary>
    public required AdmissionControl Admission { get; init; }

    /// <summary>The transport's: requests that wait count there.</summary>
    public required MemoryBudget Memory { get; init; }

    /// <summary>The transport's: answers to failed handshakes leave through it.</summary>
    public required FailureAnswers Failures { get; init; }

    public required TimeProvider Clock { get; init; }

    public required ILoggerFactory Loggers { get; init; }
}
