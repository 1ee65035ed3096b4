using Gateway.Codec.Structures;
using Gateway.PubSub.Options;
using NetworkMask = Gateway.Codec.Structures.UadpNetworkMessageContentMask;

namespace Gateway.PubSub.Tests.Options;

/// <summary>The keys that say which parts messages have: what they make, and each mistake at its key.</summary>
public sealed class ContentRulesTests
{
    private static readonly WriterGroupOptions Uadp = new()
    {
        Name = "g",
        WriterGroupId = 1,
        Encoding = "uadp",
        DataSetWriters = [new DataSetWriterOptions { Name = "w", DataSetWriterId = 1, DataSet = "tags" }],
    };

    private static readonly WriterGroupOptions Json = Uadp with { Encoding = "json" };

    public static TheoryData<string, string, WriterGroupOptions> Mistakes => new()
    {
        { "HeaderLayout", "String", Uadp with { HeaderLayout = "dynamic" } },
        { "HeaderLayout", "UInt32", Uadp with { HeaderLayout = "periodic-fixed" } },
        { "HeaderLayout", "UInt64", Uadp with { HeaderLayout = "fixed" } },
        { "HeaderLayout", "UInt64", Json with { HeaderLayout = "dynamic" } },
        { "HeaderLayout", "UInt64", Uadp with { HeaderLayout = "dynamic", DataSetMessageContent = "None" } },
        { "FieldEncoding", "String", Uadp with { FieldEncoding = "Raw" } },
        { "FieldEncoding", "String", Json with { FieldEncoding = "RawData" } },
        { "FieldEncoding", "String", Json with { Encoding = "json-raw", FieldEncoding = "Variant" } },
        { "FieldEncoding", "UInt16", Uadp with { HeaderLayout = "periodic-fixed", FieldEncoding = "Variant" } },
        { "FieldEncoding", "String", Uadp with { Encoding = "plain", FieldEncoding = "Variant" } },
        { "FieldContent", "String", Uadp with { FieldContent = "Status" } },
        { "FieldContent", "String", Uadp with { FieldContent = "None" } },
        { "FieldContent", "String", Uadp with { FieldEncoding = "Variant", FieldContent = "StatusCode" } },
        { "NetworkMessageContent", "String", Uadp with { NetworkMessageContent = "1" } },
        { "NetworkMessageContent", "String", Uadp with { NetworkMessageContent = "PublisherId,PromotedFields" } },
        { "NetworkMessageContent", "String", Uadp with { NetworkMessageContent = "PayloadHeader,GroupVersion" } },
        { "NetworkMessageContent", "String", Uadp with { NetworkMessageContent = "PayloadHeader,PicoSeconds" } },
        {
            "NetworkMessageContent", "String",
            Uadp with { NetworkMessageContent = "PublisherId", DataSetWriters = [.. Uadp.DataSetWriters, new()] }
        },
        { "NetworkMessageContent", "String", Json with { NetworkMessageContent = "SingleDataSetMessage" } },
        { "NetworkMessageContent", "String", Json with { NetworkMessageContent = "ReplyTo" } },
        { "DataSetMessageContent", "String", Json with { DataSetMessageContent = "FieldEncoding1" } },
        { "DataSetMessageContent", "String", Uadp with { DataSetMessageContent = "MessageType" } },
        { "Encoding", "String", Json with { Encoding = "plain", DataSetMessageContent = "None" } },
    };

    [Theory]
    [MemberData(nameof(Mistakes))]
    public void Validate_Mistake_IsToldAtItsKey(string key, string publisherIdType, WriterGroupOptions group)
    {
        var errors = new OptionErrors("g");

        ContentRules.Validate(errors, group, publisherIdType);

        Assert.Contains(errors.All, one => one.StartsWith($"g:{key}: ", StringComparison.Ordinal));
    }

    /// <summary>Every mask that UADP can have: all of NetworkMessages that a subscriber can make something of, and
    /// all 64 of DataSetMessages.</summary>
    [Fact]
    public void UadpMasks_EveryCombination_ByItsNames()
    {
        var allowed = 0;
        for (var bits = 0U; bits < (uint)NetworkMask.PromotedFields; bits++)
        {
            var mask = (NetworkMask)bits;
            var group = Uadp with { NetworkMessageContent = mask.ToString() };
            var errors = new OptionErrors("g");
            ContentRules.Validate(errors, group, "String");
            allowed += errors.All.Count == 0 ? 1 : 0;
            Assert.Equal(mask, MessageMasks.UadpNetworkMessageOf(group));
        }

        // Of the group's five bits 17 combinations, of Timestamp and PicoSeconds 3, the other three freely.
        Assert.Equal(17 * 3 * 8, allowed);
        for (var bits = 0U; bits < 64; bits++)
        {
            var mask = (UadpDataSetMessageContentMask)bits;
            Assert.Equal(
                mask, MessageMasks.UadpDataSetMessageOf(Uadp with { DataSetMessageContent = mask.ToString() }));
        }
    }

    [Fact]
    public void JsonMasks_EveryCombination_ByTheirNames()
    {
        const JsonNetworkMessageContentMask Single = JsonNetworkMessageContentMask.SingleDataSetMessage;
        const JsonDataSetMessageContentMask Verbose = JsonDataSetMessageContentMask.FieldEncoding2;
        for (var bits = 0U; bits < 0x80; bits++)
        {
            var mask = (JsonNetworkMessageContentMask)bits & MessageMasks.JsonNetworkMessageNames;
            var group = Json with { NetworkMessageContent = mask.ToString() };
            Assert.Equal(mask | Single, MessageMasks.JsonNetworkMessage(group));
            Assert.Equal(mask, MessageMasks.JsonNetworkMessage(group with { Batched = true }));
        }

        for (var bits = 0U; bits < 0x1000; bits++)
        {
            var mask = (JsonDataSetMessageContentMask)bits & MessageMasks.JsonDataSetMessageNames;
            var group = Json with { DataSetMessageContent = mask.ToString() };
            var errors = new OptionErrors("g");
            ContentRules.Validate(errors, group, "String");
            Assert.Empty(errors.All);
            Assert.Equal(mask | Verbose, MessageMasks.JsonDataSetMessage(group));
        }
    }

    [Theory]
    [InlineData("String", "plant", true)]
    [InlineData("UInt16", "65535", true)]
    [InlineData("UInt16", "65536", false)]
    [InlineData("Byte", "plant", false)]
    [InlineData("Int16", "1", false)]
    [InlineData("3", "1", false)]
    public void Validate_PublisherIdType_FitsThePublisherId(string type, string publisherId, bool isRight)
    {
        var options = new PubSubOptions
        {
            PublisherId = publisherId,
            DataSets = [new DataSetOptions { Name = "tags", Nodes = ["i=1"] }],
            Connections =
            [
                new ConnectionOptions
                {
                    Name = "c",
                    Address = "opc.udp://127.0.0.1",
                    PublisherIdType = type,
                    WriterGroups = [Uadp],
                },
            ],
        };

        var errors = options.Validate("PubSub");

        if (isRight)
            Assert.Empty(errors);
        else
            Assert.All(errors, static one => Assert.Contains(":PublisherIdType: ", one, StringComparison.Ordinal));
        Assert.Equal(isRight, errors.Count == 0);
    }
}
