using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Types;

namespace Gateway.Rest.Values;

/// <summary>The body <c>{"nodes":[…]}</c>.</summary>
internal static class NodesBody
{
    private static readonly byte[][] Members = ["nodes"u8.ToArray()];

    /// <summary>Null with the problem in words.</summary>
    public static string?[]? Read(
        ReadOnlySpan<byte> body, DecodeMeter meter, out StatusCode status, out string? problem)
    {
        var reader = new UaJsonReader(body, meter: meter);
        string?[]? nodes = null;
        var seen = 0UL;
        reader.BeginObject();
        while (reader.NextMember(Members, ref seen, out _))
            nodes = reader.ReadArray<string?>(BuiltInType.String);
        if (!reader.Failed && nodes is null)
            reader.Expected("a member nodes with an array of node ids");
        reader.End();
        (status, problem) = (reader.Status, reader.Problem);
        return reader.Failed ? null : nodes;
    }
}
