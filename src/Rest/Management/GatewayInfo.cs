using Gateway.Codec.Structures;

namespace Gateway.Rest.Management;

/// <summary>Facts that do not change while the gateway runs, but for the namespaces.</summary>
public sealed record GatewayInfo
{
    public required string Product { get; init; }

    public required string Version { get; init; }

    public required string ApplicationName { get; init; }

    public required string ApplicationUri { get; init; }

    public required DateTime StartTime { get; init; }

    /// <summary>The .NET that it runs on.</summary>
    public required string Runtime { get; init; }

    public required string OperatingSystem { get; init; }

    public required int Processors { get; init; }

    public required bool IsDemo { get; init; }

    /// <summary>In the order of their indexes.</summary>
    public required IReadOnlyList<string> Namespaces { get; init; }

    /// <summary>As GetEndpoints returns them to a client that names no host.</summary>
    public required IReadOnlyList<EndpointDescription> Endpoints { get; init; }
}
