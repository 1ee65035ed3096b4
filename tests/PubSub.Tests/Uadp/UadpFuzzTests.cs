using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Discovery;
using Gateway.PubSub.Uadp.Reading;
using static Gateway.PubSub.Tests.Uadp.UadpPlant;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>Messages cut, changed and made up: no exception, a typed outcome, bounded memory.</summary>
public sealed class UadpFuzzTests
{
    private static readonly WriterDescription Variants = Writer(
        1, default, UadpLayout.Dynamic.DataSetMask, MetaOf(BuiltInType.Int32), MetaOf(BuiltInType.String),
        MetaOf(BuiltInType.Double, 1));

    private static readonly WriterDescription Raw = Writer(
        2, DataSetFieldContentMask.RawData, UadpLayout.PeriodicFixed.DataSetMask, MetaOf(BuiltInType.Int32),
        MetaOf(BuiltInType.String, maxStringLength: 5), MetaOf(BuiltInType.Int16, 2, [2, 2]),
        MetaOf(BuiltInType.String, 1, [2], 3));

    [Fact]
    public void Read_CutAtEachByte_IsATypedOutcome()
    {
        foreach (var message in Messages())
        {
            for (var length = 0; length < message.Length; length++)
            {
                var result = Read(message.AsSpan(0, length));
                Assert.True(
                    result.Problem == UadpReadProblem.Malformed ||
                    result.Data!.DataSets.Any(dataSet => dataSet.Problem == UadpDataSetProblem.Malformed));
            }
        }
    }

    [Fact]
    public void Read_Changed_IsATypedOutcomeOfBoundedMemory()
    {
        var random = new Random(1);
        var messages = Messages();
        var refused = 0;
        for (var i = 0; i < 20_000; i++)
        {
            var message = messages[random.Next(messages.Length)].ToArray();
            for (var changes = random.Next(1, 4); changes > 0; changes--)
                message[random.Next(message.Length)] = Some(random);
            var before = GC.GetAllocatedBytesForCurrentThread();

            var result = Read(message);

            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 512 * 1024);
            refused += result.Problem == UadpReadProblem.None ? 0 : 1;
        }

        Assert.InRange(refused, 500, 19_500);
    }

    [Theory]
    [InlineData("4100", UadpReadProblem.Malformed)]
    [InlineData("42", UadpReadProblem.Unsupported)]
    [InlineData("91070000", UadpReadProblem.Unsupported)]
    [InlineData("918020", UadpReadProblem.Unsupported)]
    [InlineData("9180100102", UadpReadProblem.Unsupported)]
    [InlineData("9184" + "00" + "FFFFFF7F41", UadpReadProblem.Malformed)]
    [InlineData("4102" + "01000200" + "0100FFFF" + "0101", UadpReadProblem.Malformed)]
    [InlineData("4102" + "01000200" + "00000100" + "0101", UadpReadProblem.Malformed)]
    public void Read_CountsAndValuesThatLie_AreTyped(string message, object problem)
    {
        Assert.Equal((UadpReadProblem)problem, Read(Convert.FromHexString(message)).Problem);
    }

    [Theory]
    [InlineData("410101000 1FFFF0601", UadpDataSetProblem.Malformed)]
    [InlineData("4101010081" + "01" + "0100" + "0900" + "0601000000", UadpDataSetProblem.Malformed)]
    [InlineData("4101010007" + "0000", UadpDataSetProblem.Unknown)]
    [InlineData("4101010081" + "04", UadpDataSetProblem.Unknown)]
    [InlineData("4101010000", UadpDataSetProblem.NotValid)]
    [InlineData("4101090003" + "00", UadpDataSetProblem.MetaDataMissing)]
    [InlineData("4101020043" + "08000000", UadpDataSetProblem.MetaDataOutdated)]
    public void Read_DataSetMessageThatLies_IsTypedAndCounted(string message, UadpDataSetProblem problem)
    {
        using var reader = Reader();

        var result = reader.Read(Convert.FromHexString(message.Replace(" ", string.Empty, StringComparison.Ordinal)));

        Assert.Equal(problem, Assert.Single(result.Data!.DataSets).Problem);
        Assert.Equal(1, reader.Counters[problem]);
    }

    private static byte Some(Random random) => random.Next(4) switch
    {
        0 => 0,
        1 => 0xFF,
        2 => 0x7F,
        _ => (byte)random.Next(256),
    };

    private static UadpNetworkMessageReader Reader() => new(
        new UadpReaderOptions(), new UadpDirectory(Variants, Raw), null, TimeProvider.System);

    private static UadpReadResult Read(ReadOnlySpan<byte> message)
    {
        using var reader = Reader();
        return reader.Read(message);
    }

    private static byte[][] Messages()
    {
        using var writer = MessageWriter(UadpLayout.Dynamic.NetworkMask);
        using var discovery = new UadpDiscoveryWriter(
            new UadpWriterOptions { PublisherId = UadpPublisherId.Of("publisher") });
        var variants = new FrameOf(
            Variants, FrameKind.KeyFrame, 1, Field(0, new(1)), Field(1, new("text")),
            Field(2, Variant.FromArray(BuiltInType.Double, new[] { 1.0, 2.0 })));
        var raw = new FrameOf(
            Raw, FrameKind.KeyFrame, 1, Field(0, new(1)), Field(1, new("te")),
            Field(2, Variant.FromMatrix(BuiltInType.Int16, new Matrix(new short[] { 1, 2 }, [1, 2]))),
            Field(3, Variant.FromArray(BuiltInType.String, new[] { "abc" })));
        var delta = new FrameOf(Variants, FrameKind.DeltaFrame, 2, Field(1, new("changed")));
        var metaData = discovery.TryWriteMetaData(2, Raw.MetaData) ? discovery.Part(0).ToArray() : [];
        return [Message(writer, variants), Message(writer, variants, raw, delta), Message(writer, raw), metaData];
    }
}
