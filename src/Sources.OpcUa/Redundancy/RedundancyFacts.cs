using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>A server's own words on its redundant set. Source: Part 4 §6.6.2, Part 5 §6.3.7 to §6.3.11.</summary>
internal static class RedundancyFacts
{
    /// <summary>From here on a server is Healthy, and clients stay with it. Source: Part 4 §6.6.2.4.2.</summary>
    private const byte Healthy = 200;

    /// <summary>Server_ServerRedundancy_ServerUriArray.</summary>
    private const uint ServerUriArray = 11314;

    private static readonly string[] Supports = ["none", "cold", "warm", "hot", "transparent", "hotandmirrored"];

    private const long MaxAnswerBytes = 64 * 1024;

    /// <summary>Maintenance, NoData and the levels of Degraded by themselves, all of Healthy as one. A server that says
    /// nothing has nothing to say about itself.</summary>
    public static byte RankOf(byte? serviceLevel) => Math.Min(serviceLevel ?? Healthy, Healthy);

    public static bool IsHealthy(byte? serviceLevel) => RankOf(serviceLevel) == Healthy;

    /// <summary>Whether the other servers of the set take sessions while one works. Source: Part 4 §6.6.2.4.5.
    /// </summary>
    public static bool HasStandby(string support) => support is "warm" or "hot" or "hotandmirrored";

    /// <summary>Null: it has none. Errors: <see cref="Client.ServiceException"/>.</summary>
    public static async ValueTask<byte?> ReadServiceLevelAsync(
        IUpstreamSession session, CancellationToken cancellation)
    {
        var level = await session.ReadVariableAsync(
            StandardIds.Variables.Server_ServiceLevel, MaxAnswerBytes, cancellation).ConfigureAwait(false);
        return level.Type == BuiltInType.Byte && !level.IsArray ? (byte)level.AsInt32() : null;
    }

    public static async ValueTask<string> ReadSupportAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        var support = await session.ReadVariableAsync(
            StandardIds.Variables.Server_ServerRedundancy_RedundancySupport, MaxAnswerBytes, cancellation)
            .ConfigureAwait(false);
        return support.Type == BuiltInType.Int32 && support.AsInt32() is >= 0 and var number && number < Supports.Length
            ? Supports[number]
            : Supports[0];
    }

    /// <summary>The ApplicationUris of the set; empty: it does not say.</summary>
    public static async ValueTask<string?[]> ReadServerUrisAsync(
        IUpstreamSession session, CancellationToken cancellation)
    {
        var uris = await session.ReadVariableAsync(ServerUriArray, MaxAnswerBytes, cancellation)
            .ConfigureAwait(false);
        return uris.AsArray<string>() ?? [];
    }
}
