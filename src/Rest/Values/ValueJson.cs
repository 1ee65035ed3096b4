using System.Text.Json;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Types;
using Gateway.Rest.Answers;
using Gateway.Rest.Nodes;

namespace Gateway.Rest.Values;

/// <summary>One entry: <c>{"node","value","type","status","sourceTimestamp","serverTimestamp"}</c>. A bad status
/// without a value has no <c>value</c> and no <c>type</c>; an unknown time is absent.</summary>
internal static class ValueJson
{
    /// <summary>A smaller value stays far below the writer's limit, also as JSON.</summary>
    private const int LargeBytes = 64 * 1024;

    private static readonly JsonEncodedText Node = JsonEncodedText.Encode("node");
    private static readonly JsonEncodedText Value = JsonEncodedText.Encode("value");
    private static readonly JsonEncodedText Type = JsonEncodedText.Encode("type");
    private static readonly JsonEncodedText SourceTimestamp = JsonEncodedText.Encode("sourceTimestamp");
    private static readonly JsonEncodedText ServerTimestamp = JsonEncodedText.Encode("serverTimestamp");

    private static readonly JsonEncodedText[] TypeNames =
        [.. Enum.GetValues<BuiltInType>().Select(static type => JsonEncodedText.Encode(type.ToString()))];

    public static void Write(UaJsonWriter writer, in NamedNode node, in DataValue value)
    {
        Begin(writer, node);
        var before = MayBeLarge(value.Value) ? writer.WrittenSpan.ToArray() : null;
        if (!value.Value.IsNull)
        {
            writer.Json.WritePropertyName(Value);
            writer.WriteBareVariant(value.Value);
            writer.Json.WriteString(Type, TypeNames[(int)value.Value.Type]);
        }
        else if (!value.Status.IsBad)
        {
            writer.Json.WriteNull(Value);
        }

        End(writer, value.Status, value.SourceTimestamp, value.ServerTimestamp);
        ReplaceFailed(writer, before);
    }

    /// <summary>Writes a stored value without decoding it.</summary>
    /// <param name="writer">The output.</param>
    /// <param name="node">The node of the value.</param>
    /// <param name="value">The stored value.</param>
    /// <param name="knownAt">The time at which the value was current; default: its own ServerTimestamp.</param>
    public static void Write(UaJsonWriter writer, in NamedNode node, SharedValue value, DateTime knownAt)
    {
        Begin(writer, node);
        var before = value.EncodedVariant.Length > LargeBytes ? writer.WrittenSpan.ToArray() : null;
        WriteRest(writer, value, value.Status, knownAt);
        ReplaceFailed(writer, before);
    }

    /// <summary>The part of the entry behind the node: the same for all clients that get the value.</summary>
    public static void WriteRest(UaJsonWriter writer, SharedValue value, StatusCode status, DateTime knownAt)
    {
        if (value.Type != BuiltInType.Null)
        {
            writer.Json.WritePropertyName(Value);
            // A source passed on bytes that are no valid value; a Read answers the same.
            if (!JsonTranscoder.TryWriteBareVariant(writer, value.EncodedVariant))
            {
                writer.WriteNull();
                status = StatusCodes.BadDecodingError;
            }

            writer.Json.WriteString(Type, TypeNames[(int)value.Type]);
        }
        else if (!status.IsBad)
        {
            writer.Json.WriteNull(Value);
        }

        End(writer, status, value.SourceTimestamp, knownAt != default ? knownAt : value.ServerTimestamp);
    }

    /// <summary>An entry without a value.</summary>
    public static void WriteStatus(UaJsonWriter writer, in NamedNode node, StatusCode status, string? message = null)
    {
        Begin(writer, node);
        StatusText.Write(writer, status);
        if (message is not null)
            writer.Json.WriteString("message"u8, message);
        writer.EndObject();
    }

    /// <summary>The start of an entry: the brace and the node.</summary>
    public static void WriteNode(UaJsonWriter writer, in NamedNode node) => Begin(writer, node);

    /// <summary>Replaces a value that is too long as JSON by the reason, so that the other values are not lost.
    /// </summary>
    /// <param name="writer">The output, behind the value.</param>
    /// <param name="before">The text before the value; null: the value was not large.</param>
    private static void ReplaceFailed(UaJsonWriter writer, byte[]? before)
    {
        if (before is null || !(writer.Failed || writer.IsPastLimit))
            return;
        var status = writer.Failed ? writer.Status : StatusCodes.BadEncodingLimitsExceeded;
        writer.Reset();
        writer.Json.WriteRawValue(before, skipInputValidation: true);
        StatusText.Write(writer, status);
        writer.EndObject();
    }

    private static bool MayBeLarge(in Variant value) => !value.IsScalar || value.Type switch
    {
        BuiltInType.String => value.AsString()?.Length > LargeBytes,
        BuiltInType.ByteString => value.AsByteString()?.Length > LargeBytes,
        >= BuiltInType.XmlElement => value.Type != BuiltInType.StatusCode,
        _ => false,
    };

    private static void Begin(UaJsonWriter writer, in NamedNode node)
    {
        writer.StartObject();
        writer.Json.WritePropertyName(Node);
        if (node.Id.IsNull)
            writer.Json.WriteStringValue(node.Text);
        else
            writer.WriteNodeId(node.Id);
    }

    private static void End(UaJsonWriter writer, StatusCode status, DateTime source, DateTime server)
    {
        StatusText.Write(writer, status);
        WriteTime(writer, SourceTimestamp, source);
        WriteTime(writer, ServerTimestamp, server);
        writer.EndObject();
    }

    private static void WriteTime(UaJsonWriter writer, JsonEncodedText name, DateTime time)
    {
        if (time == default)
            return;
        writer.Json.WritePropertyName(name);
        writer.WriteDateTime(time);
    }
}
