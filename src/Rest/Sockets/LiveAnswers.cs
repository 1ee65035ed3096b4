using System.Globalization;
using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Rest.Answers;
using Gateway.Rest.Nodes;
using Gateway.Rest.Values;

namespace Gateway.Rest.Sockets;

/// <summary>Writes what <c>/ws</c> answers: <c>{"op":"subscribed","id":1,"results":[…]}</c>,
/// <c>{"op":"error","statusCode":"…","detail":"…","id":1}</c>. The id is that of the request. Thread-safe.</summary>
internal sealed class LiveAnswers(RestFormat format)
{
    public static ReadOnlyMemory<byte> Heartbeat { get; } = "{\"op\":\"heartbeat\"}"u8.ToArray();

    /// <summary>Its caller returns it.</summary>
    public UaJsonWriter Begin(string op, ReadOnlyMemory<byte> id)
    {
        var writer = UaJsonWriter.Rent(format.Current);
        writer.StartObject();
        writer.Json.WriteString("op"u8, op);
        if (id.Length > 0)
        {
            writer.Json.WritePropertyName("id"u8);
            writer.Json.WriteRawValue(id.Span, skipInputValidation: true);
        }

        return writer;
    }

    public UaJsonWriter Results(
        string op, ReadOnlyMemory<byte> id, NamedNode[] nodes, ReadOnlySpan<StatusCode> results,
        string?[]? messages = null, double? interval = null)
    {
        var writer = Begin(op, id);
        writer.Json.WriteStartArray("results"u8);
        for (var i = 0; i < nodes.Length; i++)
            ValueJson.WriteStatus(writer, nodes[i], results[i], messages?[i]);
        writer.Json.WriteEndArray();
        if (interval is { } revised)
            writer.Json.WriteNumber("interval"u8, revised);
        writer.EndObject();
        return writer;
    }

    public UaJsonWriter Error(StatusCode status, string? detail, ReadOnlyMemory<byte> id)
    {
        var writer = UaJsonWriter.Rent(format.Current);
        writer.StartObject();
        writer.Json.WriteString("op"u8, "error"u8);
        writer.Json.WriteString("statusCode"u8, status.ToString());
        writer.Json.WriteString("detail"u8, detail ?? ProblemStatus.Of(status).Title);
        if (id.Length > 0)
        {
            writer.Json.WritePropertyName("id"u8);
            writer.Json.WriteRawValue(id.Span, skipInputValidation: true);
        }

        writer.EndObject();
        return writer;
    }

    /// <summary><c>{"node":"…",</c>.</summary>
    public byte[] PrefixOf(in NamedNode node)
    {
        var writer = UaJsonWriter.Rent(format.Current);
        ValueJson.WriteNode(writer, node);
        byte[] prefix = [.. writer.WrittenSpan, (byte)','];
        writer.Return();
        return prefix;
    }

    public static string TooMany(int most) => string.Create(
        CultureInfo.InvariantCulture, $"at most {most} messages a second (MaxHttpWebSocketOpsPerSecond)");
}
