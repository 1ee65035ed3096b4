using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Rest.Conversion;

namespace Gateway.Rest.Values;

/// <summary>The body <c>{"values":[{"node","value","status"?,"sourceTimestamp"?}]}</c>.</summary>
internal static class WriteBody
{
    private static readonly byte[][] Members = ["values"u8.ToArray()];

    private static readonly byte[][] ValueMembers =
    [
        "node"u8.ToArray(), "value"u8.ToArray(), "status"u8.ToArray(), "sourceTimestamp"u8.ToArray(),
    ];

    /// <summary>Null with the problem in words.</summary>
    public static WriteEntry[]? Read(
        ReadOnlyMemory<byte> body, int most, DecodeMeter meter, out StatusCode status, out string? problem)
    {
        var reader = new UaJsonReader(body.Span, meter: meter);
        List<WriteEntry>? entries = null;
        var seen = 0UL;
        reader.BeginObject();
        while (reader.NextMember(Members, ref seen, out _))
            entries = ReadEntries(ref reader, body, most);

        if (!reader.Failed && entries is not { Count: > 0 })
            reader.Expected("a member values with an array of at least one value");
        reader.End();
        (status, problem) = (reader.Status, reader.Problem);
        return reader.Failed ? null : [.. entries!];
    }

    /// <summary>The array, where it stands in another body.</summary>
    public static List<WriteEntry> ReadEntries(ref UaJsonReader reader, ReadOnlyMemory<byte> body, int most)
    {
        List<WriteEntry> entries = [];
        for (reader.BeginArray(); reader.NextElement();)
        {
            if (entries.Count == most)
                reader.Fail(StatusCodes.BadTooManyOperations, $"at most {most} values (MaxHttpNodes)");
            entries.Add(ReadEntry(ref reader, body));
        }

        return entries;
    }

    private static WriteEntry ReadEntry(ref UaJsonReader reader, ReadOnlyMemory<byte> body)
    {
        var entry = default(WriteEntry);
        var seen = 0UL;
        reader.BeginObject();
        while (reader.NextMember(ValueMembers, ref seen, out var member))
        {
            entry = member switch
            {
                0 => entry with { Node = reader.ReadString() },
                1 => entry with { Value = new JsonPiece(body, reader.Skip()) },
                2 => entry with { Status = ReadStatus(ref reader) },
                _ => entry with { SourceTimestamp = reader.ReadDateTime() },
            };
        }

        if (!reader.Failed && (seen & 0b11) != 0b11)
            reader.Expected("the members node and value");
        return entry;
    }

    /// <summary>By its symbol, or as in OPC UA JSON.</summary>
    private static StatusCode ReadStatus(ref UaJsonReader reader)
    {
        if (!reader.IsString)
            return reader.ReadStatusCode();
        if (StatusCodes.TryFind(reader.ReadString() ?? "", out var status))
            return status;
        reader.Expected("a StatusCode like Good or UncertainLastUsableValue");
        return default;
    }
}
