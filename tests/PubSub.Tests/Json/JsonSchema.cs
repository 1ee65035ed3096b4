using System.Text.Json;
using Gateway.PubSub.Messages;
using DataSetMask = Gateway.Codec.Structures.JsonDataSetMessageContentMask;
using FieldMask = Gateway.Codec.Structures.DataSetFieldContentMask;
using NetworkMask = Gateway.Codec.Structures.JsonNetworkMessageContentMask;

namespace Gateway.PubSub.Tests.Json;

/// <summary>The tables of Part 14 §7.2.5.3 and §7.2.5.4 member by member: which are there for which bits, and of which
/// JSON type. Written from the standard, not from the writer.</summary>
internal sealed class JsonSchema(NetworkMask network, DataSetMask dataSet, FieldMask fields, FrameKind kind)
{
    private bool HasHeader => Has(NetworkMask.NetworkMessageHeader);

    public void Check(JsonElement message, bool isUncertain)
    {
        var messages = message;
        if (HasHeader)
        {
            Only(message, "MessageId", "MessageType", "PublisherId", "WriterGroupName", "DataSetClassId", "Messages");
            Assert.True(Guid.TryParse(message.GetProperty("MessageId").GetString(), out _));
            Assert.Equal("ua-data", message.GetProperty("MessageType").GetString());
            Is(message, "PublisherId", JsonValueKind.String, Has(NetworkMask.PublisherId));
            Is(message, "WriterGroupName", JsonValueKind.String, Has(NetworkMask.WriterGroupName));
            Is(message, "DataSetClassId", JsonValueKind.String, Has(NetworkMask.DataSetClassId));
            messages = message.GetProperty("Messages");
        }

        if (!Has(NetworkMask.SingleDataSetMessage))
        {
            Assert.Equal(JsonValueKind.Array, messages.ValueKind);
            messages = Assert.Single(messages.EnumerateArray());
        }

        if (Has(NetworkMask.DataSetMessageHeader))
            CheckDataSetMessage(messages, isUncertain);
        else
            CheckPayload(messages);
    }

    /// <summary>Table 185.</summary>
    private void CheckDataSetMessage(JsonElement message, bool isUncertain)
    {
        Only(
            message, "DataSetWriterId", "DataSetWriterName", "PublisherId", "WriterGroupName", "SequenceNumber",
            "MetaDataVersion", "MinorVersion", "Timestamp", "Status", "MessageType", "Payload");
        Is(message, "DataSetWriterId", JsonValueKind.Number, Has(DataSetMask.DataSetWriterId));
        Is(message, "DataSetWriterName", JsonValueKind.String, Has(DataSetMask.DataSetWriterName));
        Is(message, "PublisherId", JsonValueKind.String, Has(DataSetMask.PublisherId) && !HasHeader);
        Is(
            message, "WriterGroupName", JsonValueKind.String,
            Has(DataSetMask.WriterGroupName) && !(HasHeader && Has(NetworkMask.WriterGroupName)));
        Is(message, "SequenceNumber", JsonValueKind.Number, Has(DataSetMask.SequenceNumber));
        Is(message, "MetaDataVersion", JsonValueKind.Object, Has(DataSetMask.MetaDataVersion));
        Is(
            message, "MinorVersion", JsonValueKind.Number,
            Has(DataSetMask.MinorVersion) && !Has(DataSetMask.MetaDataVersion));
        Is(message, "Timestamp", JsonValueKind.String, Has(DataSetMask.Timestamp));
        var isReversible = (dataSet & JsonSamples.Compact) == JsonSamples.Reversible;
        Is(
            message, "Status", isReversible ? JsonValueKind.Number : JsonValueKind.Object,
            Has(DataSetMask.Status) && isUncertain);
        Is(message, "MessageType", JsonValueKind.String, Has(DataSetMask.MessageType));
        if (Has(DataSetMask.MessageType))
            Assert.Equal(
                new[] { "ua-keyframe", "ua-deltaframe", "ua-event", "ua-keepalive" }[(int)kind],
                message.GetProperty("MessageType").GetString());
        Is(message, "Payload", JsonValueKind.Object, kind != FrameKind.KeepAlive);
        if (kind != FrameKind.KeepAlive)
            CheckPayload(message.GetProperty("Payload"));
    }

    /// <summary>One field, of type Double.</summary>
    private void CheckPayload(JsonElement payload)
    {
        var field = Assert.Single(payload.EnumerateObject());
        Assert.Equal("Temperature", field.Name);
        const FieldMask DataValueBits = FieldMask.StatusCode | FieldMask.SourceTimestamp | FieldMask.ServerTimestamp |
            FieldMask.SourcePicoSeconds | FieldMask.ServerPicoSeconds;
        if ((fields & DataValueBits) == 0)
            CheckVariant(field.Value);
        else
            CheckDataValue(field.Value);
    }

    /// <summary>Collapsed in Verbose. Source: Part 14 §7.2.5.4.2.</summary>
    private void CheckVariant(JsonElement value)
    {
        switch (dataSet & JsonSamples.Compact)
        {
            case JsonSamples.Compact:
                Only(value, "UaType", "Value");
                Assert.Equal(
                    (11, 25.5), (value.GetProperty("UaType").GetInt32(), value.GetProperty("Value").GetDouble()));
                break;
            case JsonSamples.Reversible:
                Only(value, "Type", "Body");
                Assert.Equal((11, 25.5), (value.GetProperty("Type").GetInt32(), value.GetProperty("Body").GetDouble()));
                break;
            default:
                Assert.Equal(25.5, value.GetDouble());
                break;
        }
    }

    /// <summary>Part 6, Table 42.</summary>
    private void CheckDataValue(JsonElement value)
    {
        Only(value, "UaType", "Value", "Status", "SourceTimestamp", "SourcePicoseconds", "ServerTimestamp");
        var encoding = dataSet & JsonSamples.Compact;
        Is(value, "UaType", JsonValueKind.Number, encoding == JsonSamples.Compact);
        var content = value.GetProperty("Value");
        if (encoding == JsonSamples.Reversible)
            CheckVariant(content);
        else
            Assert.Equal(25.5, content.GetDouble());
        Is(value, "Status", default, false);
        Is(value, "SourceTimestamp", JsonValueKind.String, Has(FieldMask.SourceTimestamp));
        Is(value, "ServerTimestamp", JsonValueKind.String, Has(FieldMask.ServerTimestamp));
        Is(
            value, "SourcePicoseconds", JsonValueKind.Number,
            Has(FieldMask.SourceTimestamp) && Has(FieldMask.SourcePicoSeconds));
    }

    private bool Has(NetworkMask bit) => (network & bit) != 0;

    private bool Has(DataSetMask bit) => (dataSet & bit) != 0;

    private bool Has(FieldMask bit) => (fields & bit) != 0;

    private static void Only(JsonElement item, params ReadOnlySpan<string> names)
    {
        foreach (var member in item.EnumerateObject())
            Assert.True(names.Contains(member.Name), $"{member.Name} in {item}");
    }

    private static void Is(JsonElement item, string name, JsonValueKind kind, bool isThere)
    {
        var has = item.TryGetProperty(name, out var value);
        if (has != isThere || (has && value.ValueKind != kind))
            Assert.Fail($"{name} in {item}: there {isThere}, of kind {kind}");
    }
}
