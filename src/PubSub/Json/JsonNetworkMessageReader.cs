using System.Runtime.CompilerServices;
using System.Text.Json;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Json;

/// <summary>
/// Reads JSON NetworkMessages of every layout and encoding. The text shows which it is: a header with a MessageType;
/// DataSetMessages, alone or in an array, which have a Payload; otherwise payloads alone. Members that it does not know
/// are stepped over, unknown MessageTypes are <see cref="ReceivedOther"/>. Errors: a <see cref="ReceiveProblem"/> for
/// the message; a value that cannot be read costs its own field only. Never throws for a text. Threads: any.
/// Source: Part 14 §5.4.2.1, §7.2.5.
/// </summary>
/// <param name="format">URIs and structures.</param>
/// <param name="limits">Null: the defaults.</param>
public sealed class JsonNetworkMessageReader(JsonFormat format, JsonReaderLimits? limits = null)
{
    private readonly JsonReaderLimits _limits = limits ?? JsonReaderLimits.Default;
    private readonly ConditionalWeakTable<DataSetMetaDataType, JsonReaderPlan> _plans = [];

    /// <summary>Null: the message is not used, for the reason given.</summary>
    /// <param name="text">The whole message.</param>
    /// <param name="metaData">Null: none is known.</param>
    /// <param name="problem">None for a message.</param>
    /// <param name="layout">The layout of the topic's group, if it is known: the members of a payload without any
    /// header may have the names of a header. Null: the text shows it.</param>
    public ReceivedMessage? Read(
        ReadOnlySpan<byte> text, IMetaDataLookup? metaData, out ReceiveProblem problem,
        JsonNetworkMessageContentMask? layout = null)
    {
        problem = ReceiveProblem.None;
        try
        {
            if (!TryCheck(text, out var whole, out problem))
                return null;
            var reading = new JsonMessageReading(text, format, _limits, metaData, _plans, layout);
            var message = reading.Read(whole);
            problem = reading.Problem;
            return problem == ReceiveProblem.None ? message : null;
        }
        catch (Exception exception) when (exception is JsonException or InvalidOperationException)
        {
            // The runtime's reader throws the second for names and texts that are no valid UTF-8.
            problem = ReceiveProblem.Malformed;
            return null;
        }
    }

    /// <summary>Reads all of it once: what follows finds no errors of syntax.</summary>
    private bool TryCheck(ReadOnlySpan<byte> text, out JsonSlice whole, out ReceiveProblem problem)
    {
        whole = default;
        problem = ReceiveProblem.TooLong;
        if (text.Length > _limits.MaxMessageBytes)
            return false;
        problem = ReceiveProblem.TooDeep;
        var json = JsonMembers.Reader(text);
        var (start, token) = (-1L, JsonTokenType.None);
        while (json.Read())
        {
            if (start < 0)
                (start, token) = (json.TokenStartIndex, json.TokenType);
            if (json.CurrentDepth > _limits.MaxJsonDepth)
                return false;
        }

        whole = new JsonSlice((int)start, (int)json.BytesConsumed - (int)start, token);
        problem = ReceiveProblem.None;
        return true;
    }
}
