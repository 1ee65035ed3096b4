using System.Net;
using Gateway.Admission;
using Gateway.Host.Configuration;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Server;
using Gateway.Server.Users;
using Gateway.Sources.OpcUa;
using Gateway.Sources.Simulator;
using Gateway.Transport.Hosting;
using Gateway.Transport.Http;
using Gateway.Transport.Security;

namespace Gateway.Tests.Configuration;

/// <summary>All options in one record, for tests of the configuration.</summary>
internal sealed record GatewaySettings
{
    /// <summary>The files that were read, with their full paths.</summary>
    public required IReadOnlyList<string> ConfigurationFiles { get; init; }

    /// <summary>Keys of the environment that look misspelt, each with what it may mean.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary><c>--demo</c> or <c>Demo=true</c>: None, AutoTrust and an anonymous operator, for a first
    /// look.</summary>
    public required bool IsDemo { get; init; }

    /// <summary><c>OpcUa:Address</c>, <c>OpcUa:Port</c>.</summary>
    public required IPEndPoint OpcUaEndPoint { get; init; }

    /// <summary><c>OpcUa:EndpointUrls</c>: what GetEndpoints advertises; empty: the host that the client
    /// used.</summary>
    public required string[] EndpointUrls { get; init; }

    /// <summary><c>OpcUa:SecurityPolicies</c>.</summary>
    public required SecurityOffer Security { get; init; }

    /// <summary><c>OpcUa:ApplicationUri</c>, for the certificate that is made on the first start.</summary>
    public required string ApplicationUri { get; init; }

    /// <summary>The operator has written it.</summary>
    public required bool IsApplicationUriGiven { get; init; }

    /// <summary><c>OpcUa:ApplicationName</c>.</summary>
    public required string ApplicationName { get; init; }

    /// <summary><c>OpcUa:HostNames</c>: further names in that certificate.</summary>
    public required string[] HostNames { get; init; }

    /// <summary><c>Http:Address</c>, <c>Http:Port</c>; loopback unless the operator opens it.</summary>
    public required IPEndPoint HttpEndPoint { get; init; }

    /// <summary><c>Pki:Path</c>, relative to the working directory.</summary>
    public required string PkiPath { get; init; }

    /// <summary><c>Pki:AutoTrust</c>.</summary>
    public required bool AutoTrust { get; init; }

    /// <summary><c>Pki:AcceptUnknownRevocation</c>.</summary>
    public required bool AcceptUnknownRevocation { get; init; }

    /// <summary><c>Pki:AcceptMissingKeyUsage</c>.</summary>
    public required bool AcceptMissingKeyUsage { get; init; }

    /// <summary><c>Pki:AcceptMissingDataEncipherment</c>.</summary>
    public required bool AcceptMissingDataEncipherment { get; init; }

    /// <summary><c>Pki:MaxRejectedCertificates</c>.</summary>
    public required int MaxRejectedCertificates { get; init; }

    /// <summary><c>Users</c>.</summary>
    public required UserAccount[] Users { get; init; }

    /// <summary><c>Anonymous:Roles</c>; null when <c>Anonymous:Enabled</c> is false.</summary>
    public required Roles? AnonymousRoles { get; init; }

    /// <summary><c>Pki:TrustedUserRoles</c>: of users whose certificate lies in <c>trustedUser/</c> and in no account.
    /// </summary>
    public required Roles TrustedUserRoles { get; init; }

    /// <summary><c>Upstreams</c>.</summary>
    public required UpstreamOptions[] Upstreams { get; init; }

    /// <summary><c>NodeSets:Path</c>; empty: none.</summary>
    public required string NodeSetsPath { get; init; }

    /// <summary><c>Simulator</c>.</summary>
    public required SimulatorOptions Simulator { get; init; }

    /// <summary><c>Limits</c>, one section for all parts.</summary>
    public required TransportLimits TransportLimits { get; init; }

    public required HttpLimits HttpLimits { get; init; }

    public required ServerLimits ServerLimits { get; init; }

    public required PublishLimits PublishLimits { get; init; }

    public required AdmissionLimits AdmissionLimits { get; init; }

    public required UpstreamLimits UpstreamLimits { get; init; }

    public required LogLimits LogLimits { get; init; }

    /// <summary><c>Admission:Enabled</c>; false: only the hard caps act, for comparison or in need.</summary>
    public required bool IsAdmissionEnabled { get; init; }

    /// <summary><c>Shutdown:AnnounceSeconds</c>: how long clients see the shutdown before sessions are
    /// closed.</summary>
    public required TimeSpan ShutdownAnnounce { get; init; }

    /// <summary><c>Shutdown:GraceSeconds</c>: when everything has ended.</summary>
    public required TimeSpan ShutdownGrace { get; init; }

    /// <summary><c>Log:Format</c> is <c>json</c>.</summary>
    public required bool LogsAsJson { get; init; }
}
