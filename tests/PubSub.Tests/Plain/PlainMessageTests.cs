using System.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Options;
using Gateway.PubSub.Plain;
using Gateway.PubSub.Tests.DataSets;
using Gateway.PubSub.Tests.Json;

namespace Gateway.PubSub.Tests.Plain;

/// <summary>A topic and a message for each field.</summary>
public sealed class PlainMessageTests
{
    private readonly Plant _plant = new();

    [Fact]
    public void Frame_ThreeFields_ThreeMessagesOnTheirTopics()
    {
        var writer = JsonSamples.Writer(
            default, default, JsonSamples.Field("Line1.Filler.Speed", BuiltInType.Double),
            JsonSamples.Field("Name", BuiltInType.String), JsonSamples.Field("Many", BuiltInType.Int32));

        var messages = Write(
            PlainTemplate.Default, writer, JsonSamples.Value(0, new Variant(20.5)),
            JsonSamples.Value(1, new Variant("a\"b")),
            JsonSamples.Value(2, Variant.FromArray(BuiltInType.Int32, new[] { 1, 2 })));

        Assert.Equal(3, messages.Count);
        Assert.StartsWith("top/Writer101/Line1/Filler/Speed {\"v\":20.5,\"t\":\"20", messages[0]);
        Assert.EndsWith("Z\",\"q\":\"Good\"}", messages[0]);
        Assert.StartsWith("top/Writer101/Name {\"v\":\"a\\u0022b\",", messages[1].Replace("\\\"", "\\u0022"));
        Assert.StartsWith("top/Writer101/Many {\"v\":[1,2],", messages[2]);
    }

    [Fact]
    public void Field_WithoutAValue_NullWithItsStatus()
    {
        var writer = JsonSamples.Writer(default, default, JsonSamples.Field("A", BuiltInType.Double));

        var message = Assert.Single(Write(
            PlainTemplate.Default, writer, new FrameField(0, null, StatusCodes.BadWaitingForInitialData)));

        Assert.Equal("top/Writer101/A {\"v\":null,\"t\":null,\"q\":\"BadWaitingForInitialData\"}", message);
    }

    [Fact]
    public void Template_AllParts_InPlace()
    {
        var writer = JsonSamples.Writer(default, default, JsonSamples.Field("A.B", BuiltInType.Double));

        var message = Assert.Single(Write(
            "${n};${code};${q};${v};é", writer, new FrameField(0, null, StatusCodes.BadNoCommunication)));

        Assert.Equal(
            $"top/Writer101/A/B \"A.B\";{StatusCodes.BadNoCommunication};\"BadNoCommunication\";null;é", message);
    }

    [Theory]
    [InlineData("${x}")]
    [InlineData("a ${v")]
    [InlineData("${}")]
    public void Template_UnknownPart_Refused(string text)
    {
        Assert.Null(PlainTemplate.Parse(text, out var error));
        Assert.Contains("${code}", error, StringComparison.Ordinal);
    }

    [Fact]
    public void Topics_NamesWithMeaningForBrokers_AreLevelsOfTheirOwn()
    {
        FieldMetaData[] fields =
        [
            new() { Name = "a+b" }, new() { Name = "a#b" }, new() { Name = "a/b" }, new() { Name = "x.y" },
            new() { Name = ".x..y." }, new() { Name = "\u0001ü" }, new() { Name = null },
        ];

        Assert.Equal(
            ["t/a_b", "t/a_b_2", "t/a_b_3", "t/x/y", "t/_x/_y_", "t/_ü", "t/"],
            PlainTopics.Of("t", fields).Select(Encoding.UTF8.GetString));
    }

    private List<string> Write(string template, WriterDescription writer, params FrameField[] fields)
    {
        using var message = new PlainMessageWriter(
            static name => "top/" + name, PlainTemplate.Parse(template, out _)!, _plant.Nodes,
            new TableStructures(_plant.Nodes), 4096);
        message.Begin(Guid.Empty, default);
        Assert.True(message.TryAdd(JsonSamples.Frame(writer, FrameKind.KeyFrame, fields)));
        message.End();
        return
        [
            .. Enumerable.Range(0, message.PartCount).Select(i =>
                Encoding.UTF8.GetString(message.TopicOf(i)) + ' ' + Encoding.UTF8.GetString(message.Part(i).Span)),
        ];
    }
}
