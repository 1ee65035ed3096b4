using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>A server's own words on itself and its redundant set. Source: Part 4 §6.6.2, Part 5 §6.3.7 to §6.3.11.
/// </summary>
/// <param name="ServiceLevel">Null: not known.</param>
/// <param name="Support">One of none, cold, warm, hot, transparent, hotandmirrored; null: not known.</param>
/// <param name="ServerUris">The ApplicationUris of the set; empty: it does not say; null: not known.</param>
internal readonly record struct RedundancyFacts(byte? ServiceLevel, string? Support, string?[]? ServerUris)
{
    /// <summary>Server_ServerRedundancy_ServerUriArray.</summary>
    private const uint ServerUriArray = 11314;

    private const long MaxAnswerBytes = 64 * 1024;

    private static readonly string[] Supports = ["none", "cold", "warm", "hot", "transparent", "hotandmirrored"];

    /// <summary>Null: not known. Errors: <see cref="Client.ServiceException"/>.</summary>
    public static async ValueTask<byte?> ReadServiceLevelAsync(
        IUpstreamSession session, CancellationToken cancellation) =>
        LevelOf((await ReadAsync(session, [StandardIds.Variables.Server_ServiceLevel], cancellation)
            .ConfigureAwait(false))[0]);

    /// <summary>All in one request. Errors: as above.</summary>
    public static async ValueTask<RedundancyFacts> ReadAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        uint[] variables =
        [
            StandardIds.Variables.Server_ServiceLevel,
            StandardIds.Variables.Server_ServerRedundancy_RedundancySupport,
            ServerUriArray,
        ];
        var values = await ReadAsync(session, variables, cancellation).ConfigureAwait(false);
        return new RedundancyFacts(
            LevelOf(values[0]), SupportOf(values[1]), values[2].IsNull ? null : values[2].AsArray<string>() ?? []);
    }

    private static string? SupportOf(Variant support)
    {
        if (support.IsNull)
            return null;
        var number = support.Type == BuiltInType.Int32 && !support.IsArray ? support.AsInt32() : 0;
        return number >= 0 && number < Supports.Length ? Supports[number] : Supports[0];
    }

    private static byte? LevelOf(Variant level) =>
        level.Type == BuiltInType.Byte && !level.IsArray ? (byte)level.AsInt32() : null;

    /// <summary>Null where one cannot be read.</summary>
    private static async ValueTask<Variant[]> ReadAsync(
        IUpstreamSession session, uint[] variables, CancellationToken cancellation)
    {
        var values = await session.ReadAsync(
            Array.ConvertAll(variables, static one => new ReadValueId
            {
                NodeId = new NodeId(one),
                AttributeId = (uint)AttributeId.Value,
            }),
            0, variables.Length, new ValueAllowance(MaxAnswerBytes), cancellation).ConfigureAwait(false);
        return Array.ConvertAll(values, static one => one.Status.IsBad ? default : one.Value);
    }
}
