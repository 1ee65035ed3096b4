using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Types;

namespace Gateway.Rest.Streams;

/// <summary>The body <c>{"nodes":[…],"interval":1000}</c>.</summary>
/// <param name="Nodes">As they came.</param>
/// <param name="Interval">Milliseconds; null: the default.</param>
internal sealed record StreamBody(string[] Nodes, double? Interval)
{
    private static readonly byte[][] Members = ["nodes"u8.ToArray(), "interval"u8.ToArray()];

    /// <summary>Null with the problem in words.</summary>
    public static StreamBody? Read(
        ReadOnlySpan<byte> body, DecodeMeter meter, out StatusCode status, out string? problem)
    {
        var reader = new UaJsonReader(body, meter: meter);
        (string?[]? nodes, double? interval) = (null, null);
        var seen = 0UL;
        reader.BeginObject();
        while (reader.NextMember(Members, ref seen, out var member))
        {
            if (member == 0)
                nodes = reader.ReadArray<string?>(BuiltInType.String);
            else
                interval = reader.ReadDouble();
        }

        if (!reader.Failed && nodes is null)
            reader.Expected("a member nodes with an array of node ids");
        reader.End();
        (status, problem) = (reader.Status, reader.Problem);
        return reader.Failed ? null : new StreamBody(Array.ConvertAll(nodes!, static node => node ?? ""), interval);
    }
}
