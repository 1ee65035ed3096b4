using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Rest.Values;

namespace Gateway.Rest.Sockets;

/// <summary>One message of a client of <c>/ws</c>:
/// <c>{"op":"subscribe","id":1,"nodes":["ns=2;s=x"],"interval":500}</c>. The members may come in any order.</summary>
internal struct LiveOp
{
    private const int MaxIdBytes = 128;

    private static readonly byte[][] Members =
    [
        "op"u8.ToArray(), "id"u8.ToArray(), "nodes"u8.ToArray(), "interval"u8.ToArray(), "values"u8.ToArray(),
        "user"u8.ToArray(), "password"u8.ToArray(), "token"u8.ToArray(), "source"u8.ToArray(), "type"u8.ToArray(),
        "minSeverity"u8.ToArray(), "fields"u8.ToArray(), "alarms"u8.ToArray(),
    ];

    public LiveOpKind Kind { get; private set; }

    /// <summary>A string or a number as it came; empty for none.</summary>
    public ReadOnlyMemory<byte> Id { get; private set; }

    /// <summary>Null: it has none.</summary>
    public string[]? Nodes { get; private set; }

    /// <summary>Milliseconds; null: it has none.</summary>
    public double? Interval { get; private set; }

    public WriteEntry[]? Values { get; private set; }

    public string? User { get; private set; }

    public string? Password { get; private set; }

    public string? Token { get; private set; }

    /// <summary>Notifiers; null: it has none.</summary>
    public string[]? Sources { get; private set; }

    public string[]? Types { get; private set; }

    public double? MinSeverity { get; private set; }

    public string[]? Fields { get; private set; }

    public string? Alarms { get; private set; }

    /// <summary>Nodes and values that it names.</summary>
    public readonly int Count => (Nodes?.Length ?? 0) + (Values?.Length ?? 0) + (Sources?.Length ?? 0);

    /// <summary>Bad with the problem in words; the id is there if it came before.</summary>
    /// <param name="text">Kept by the values.</param>
    /// <param name="meter">Counts what is made of it; null: nobody does.</param>
    /// <param name="most">Nodes or values of one message.</param>
    /// <param name="op">The members that were read.</param>
    /// <param name="problem">Null where nothing is wrong.</param>
    public static StatusCode Read(
        ReadOnlyMemory<byte> text, DecodeMeter? meter, int most, out LiveOp op, out string? problem)
    {
        op = default;
        var reader = new UaJsonReader(text.Span, meter: meter);
        var seen = 0UL;
        reader.BeginObject();
        while (reader.NextMember(Members, ref seen, out var member))
            op.ReadMember(ref reader, member, text, most);
        if (!reader.Failed && (seen & 1) == 0)
            reader.Expected("the member op");
        reader.End();
        problem = reader.Problem;
        return reader.Status;
    }

    private void ReadMember(ref UaJsonReader reader, int member, ReadOnlyMemory<byte> text, int most)
    {
        switch (member)
        {
            case 0:
                Kind = ReadKind(ref reader, text.Span);
                break;
            case 1:
                ReadId(ref reader, text);
                break;
            case 2:
                Nodes = ReadNodes(ref reader, most);
                break;
            case 3:
                Interval = reader.ReadDouble();
                break;
            case 4:
                Values = [.. WriteBody.ReadEntries(ref reader, text, most)];
                break;
            case 5:
                User = reader.ReadString();
                break;
            case 6:
                Password = reader.ReadString();
                break;
            case 7:
                Token = reader.ReadString();
                break;
            case 8:
                Sources = ReadOneOrMore(ref reader, most);
                break;
            case 9:
                Types = ReadOneOrMore(ref reader, most);
                break;
            case 10:
                MinSeverity = reader.ReadDouble();
                break;
            case 11:
                Fields = ReadOneOrMore(ref reader, most);
                break;
            default:
                Alarms = reader.ReadString();
                break;
        }
    }

    /// <summary>A list, or a text alone.</summary>
    private static string[] ReadOneOrMore(ref UaJsonReader reader, int most) =>
        reader.IsString ? [reader.ReadString() ?? ""] : ReadNodes(ref reader, most);

    private static string[] ReadNodes(ref UaJsonReader reader, int most)
    {
        List<string> nodes = [];
        for (reader.BeginArray(); reader.NextElement();)
        {
            if (nodes.Count == most)
                reader.Fail(StatusCodes.BadTooManyOperations, $"at most {most} nodes (MaxHttpNodes)");
            nodes.Add(reader.ReadString() ?? "");
        }

        return [.. nodes];
    }

    private void ReadId(ref UaJsonReader reader, ReadOnlyMemory<byte> text)
    {
        if (!reader.IsString && !reader.IsNumber)
        {
            reader.Expected("a string or a number");
            return;
        }

        var range = reader.Skip();
        var id = text[range];
        if (id.Length > MaxIdBytes)
            reader.Fail(StatusCodes.BadEncodingLimitsExceeded, $"at most {MaxIdBytes} bytes");
        else
            Id = id;
    }

    /// <summary>Without a string: a message at rest allocates nothing.</summary>
    private static LiveOpKind ReadKind(ref UaJsonReader reader, ReadOnlySpan<byte> text)
    {
        if (reader.IsString)
        {
            var name = text[reader.Skip()];
            if (name.SequenceEqual("\"ping\""u8))
                return LiveOpKind.Ping;
            if (name.SequenceEqual("\"subscribe\""u8))
                return LiveOpKind.Subscribe;
            if (name.SequenceEqual("\"unsubscribe\""u8))
                return LiveOpKind.Unsubscribe;
            if (name.SequenceEqual("\"write\""u8))
                return LiveOpKind.Write;
            if (name.SequenceEqual("\"rate\""u8))
                return LiveOpKind.Rate;
            if (name.SequenceEqual("\"login\""u8))
                return LiveOpKind.Login;
            if (name.SequenceEqual("\"subscribeEvents\""u8))
                return LiveOpKind.SubscribeEvents;
            if (name.SequenceEqual("\"unsubscribeEvents\""u8))
                return LiveOpKind.UnsubscribeEvents;
        }

        reader.Expected("subscribe, unsubscribe, rate, write, subscribeEvents, unsubscribeEvents, ping or login");
        return default;
    }
}
