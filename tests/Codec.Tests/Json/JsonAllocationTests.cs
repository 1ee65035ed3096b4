using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;
using Gateway.Testing;

namespace Gateway.Codec.Tests.Json;

/// <summary>Writing and transcoding allocate nothing once they are warm, for every type in every encoding.</summary>
public sealed class JsonAllocationTests
{
    public static TheoryData<JsonEncoding> Encodings => new(Enum.GetValues<JsonEncoding>());

    [Theory]
    [MemberData(nameof(Encodings))]
    public void WriteDataValue_AllTypes_AllocatesNothing(JsonEncoding encoding)
    {
        var format = JsonOf.Format(encoding);
        var values = Values();
        Assert.Equal(0, OfHundred(() =>
        {
            var writer = UaJsonWriter.Rent(format);
            foreach (var value in values)
                writer.WriteDataValue(value);
            if (writer.WrittenSpan.IsEmpty || writer.Failed)
                throw new InvalidOperationException(writer.Status.ToString());
            writer.Return();
        }));
    }

    [Theory]
    [MemberData(nameof(Encodings))]
    public void TryWriteDataValue_AllTypes_AllocatesNothing(JsonEncoding encoding)
    {
        var format = JsonOf.Format(encoding);
        var values = Values().Select(value => JsonOf.Binary(value.Value)).ToArray();
        var quality = new DataValue(default, StatusCodes.UncertainInitialValue, SampleVariants.Time);
        Assert.Equal(0, OfHundred(() =>
        {
            var writer = UaJsonWriter.Rent(format);
            foreach (var value in values)
            {
                if (!JsonTranscoder.TryWriteDataValue(writer, value, quality))
                    throw new InvalidOperationException(Convert.ToHexString(value));
            }

            if (writer.WrittenSpan.IsEmpty || writer.Failed)
                throw new InvalidOperationException(writer.Status.ToString());
            writer.Return();
        }));
    }

    [Fact]
    public void ReadDataValue_OfANumber_AllocatesNothing()
    {
        var text = """{"UaType":11,"Value":1.5,"SourceTimestamp":"2026-11-21T04:30:00Z"}"""u8.ToArray();
        Assert.Equal(0, OfHundred(() =>
        {
            var reader = new UaJsonReader(text);
            reader.ReadDataValue();
            reader.End();
            if (reader.Failed)
                throw new InvalidOperationException(reader.Problem);
        }));
    }

    /// <summary>Many values in one call: a hundred calls say as much as a thousand elsewhere.</summary>
    private static long OfHundred(Action action)
    {
        for (var i = 0; i < 40; i++)
            action();
        return Allocations.Least(() =>
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < 100; i++)
                action();
            return GC.GetAllocatedBytesForCurrentThread() - before;
        });
    }

    private static DataValue[] Values() =>
    [
        .. SampleVariants.Arrays.Select(pair => new DataValue(
            Variant.FromArray(pair.Key, pair.Value), default, SampleVariants.Time, SampleVariants.Time)),
        .. SampleVariants.Arrays.Where(pair => pair.Key != BuiltInType.Variant).Select(
            pair => new DataValue(SampleVariants.Scalar(pair.Key, pair.Value.GetValue(0)))),
        new DataValue(Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { 1, 2, 3, 4 }, [2, 2]))),
        new DataValue(new Variant(new string('x', 1_000) + "\"")),
        new DataValue(new Variant(new NodeId(new string('y', 1_000), 1))),
        new DataValue(Variant.FromStructure(new ReadValueId { NodeId = new NodeId(1) })),
    ];
}
