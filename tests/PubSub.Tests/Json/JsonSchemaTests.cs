using System.Text.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Json;
using Gateway.PubSub.Messages;
using DataSetMask = Gateway.Codec.Structures.JsonDataSetMessageContentMask;
using FieldMask = Gateway.Codec.Structures.DataSetFieldContentMask;
using NetworkMask = Gateway.Codec.Structures.JsonNetworkMessageContentMask;
using static Gateway.PubSub.Tests.Json.JsonSamples;

namespace Gateway.PubSub.Tests.Json;

/// <summary>All masks against <see cref="JsonSchema"/>.</summary>
public sealed class JsonSchemaTests
{
    private const int NetworkMasks = 0x80;
    private const int DataSetMasks = 0x1000;
    private const int FieldMasks = 0x40;

    private static readonly Guid ClassId = Guid.NewGuid();
    private static readonly FieldMetaData[] OneField = [Field("Temperature", BuiltInType.Double)];
    private static readonly FrameField[] OneValue = [Value(0, new Variant(25.5))];

    /// <summary>All 128 × 4,096 masks of messages; the masks of fields and the kinds take turns beside them.</summary>
    [Fact]
    public void Messages_EveryMask_AsTheTablesSay()
    {
        var turn = 0;
        for (var network = 0; network < NetworkMasks; network++)
        {
            using var writer = new JsonNetworkMessageWriter(Group((NetworkMask)network));
            for (var dataSet = network % 8; dataSet < DataSetMasks; dataSet += 8)
                Check(writer, (NetworkMask)network, (DataSetMask)dataSet, (FieldMask)(turn % FieldMasks), turn++ / 3);
        }

        Assert.Equal(NetworkMasks * DataSetMasks / 8, turn);
    }

    /// <summary>All 64 masks of fields in all four encodings.</summary>
    [Fact]
    public void Fields_EveryMask_AsTheTablesSay()
    {
        var checkedMasks = 0;
        using var writer = new JsonNetworkMessageWriter(Group(Batched));
        foreach (var encoding in new[] { Verbose, Compact, Reversible, NonReversible })
        {
            for (var fields = 0; fields < FieldMasks; fields++, checkedMasks++)
                Check(writer, Batched, encoding, (FieldMask)fields, 0);
        }

        Assert.Equal(4 * FieldMasks, checkedMasks);
    }

    private static void Check(
        JsonNetworkMessageWriter writer, NetworkMask network, DataSetMask dataSet, FieldMask fields, int turn)
    {
        var kind = (FrameKind)(turn % 4);
        var status = turn % 5 == 0 ? new StatusCode(StatusCodes.Uncertain) : default;
        var description = Writer(dataSet, fields) with
        {
            MetaData = new DataSetMetaDataType
            {
                Fields = OneField,
                DataSetClassId = ClassId,
                ConfigurationVersion = new ConfigurationVersionDataType { MajorVersion = 1, MinorVersion = 2 },
            },
        };
        writer.Begin(MessageId, Time);
        var isAdded = writer.TryAdd(
            Frame(description, kind, kind == FrameKind.KeepAlive ? [] : OneValue, status));
        Assert.Equal(kind != FrameKind.KeepAlive || (network & NetworkMask.DataSetMessageHeader) != 0, isAdded);
        if (!isAdded)
            return;
        using var document = JsonDocument.Parse(writer.End());
        new JsonSchema(network, dataSet, fields, kind).Check(document.RootElement, status.Code != 0);
    }
}
