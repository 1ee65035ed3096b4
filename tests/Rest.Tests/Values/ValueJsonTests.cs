using System.Text;
using System.Text.Json;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Json;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Rest.Nodes;
using Gateway.Rest.Values;

namespace Gateway.Rest.Tests.Values;

/// <summary>A value that is too long as JSON among others.</summary>
public sealed class ValueJsonTests
{
    private const int LimitBytes = 200_000;
    private const int LargerKilobytes = 640;

    private static readonly Variant Large = new(new string('\u0001', 100_000));

    private readonly ValueStore _values = new(TimeProvider.System);

    [Fact]
    public void Write_DecodedValueThatIsTooLong_HasAStatusAndTheOthersTheirValues() => AssertReplaced(
        static (writer, value) => ValueJson.Write(writer, new NamedNode("i=1", new NodeId(1)), new DataValue(value)));

    [Fact]
    public void Write_StoredValueThatIsTooLong_HasAStatusAndTheOthersTheirValues() => AssertReplaced(WriteStored);

    /// <summary>One of them has room for the whole value, so that the text passes its limit without growing.</summary>
    [Fact]
    public void Write_ThePoolHasLargerArraysOnly_TheSame()
    {
        var others = RentEach(192, 256, 320, 384);
        Return(RentEach(LargerKilobytes));
        Write_StoredValueThatIsTooLong_HasAStatusAndTheOthersTheirValues();
        Return(others);
    }

    private static byte[][] RentEach(params int[] kilobytes) =>
        [.. kilobytes.SelectMany(static size => Enumerable.Range(0, 8).Select(_ => ByteArrays.Rent(size * 1024)))];

    private static void Return(byte[][] arrays)
    {
        foreach (var array in arrays)
            ByteArrays.Return(array);
    }

    private void WriteStored(UaJsonWriter writer, Variant value)
    {
        var shared = _values.Make(new DataValue(value));
        ValueJson.Write(writer, new NamedNode("i=1", new NodeId(1)), shared, default);
        shared.Release();
    }

    private static void AssertReplaced(Action<UaJsonWriter, Variant> write)
    {
        var writer = UaJsonWriter.Rent(JsonFormat.Compact, limitBytes: LimitBytes);
        writer.StartObject();
        writer.Json.WriteStartArray("values"u8);
        foreach (var value in new[] { Large, new Variant(1), Large, new Variant(2), Large })
            write(writer, value);
        writer.Json.WriteEndArray();
        writer.EndObject();

        Assert.False(writer.Failed);
        using var json = JsonDocument.Parse(Encoding.UTF8.GetString(writer.WrittenSpan));
        writer.Return();
        Assert.Equal(
            ["BadEncodingLimitsExceeded", "1", "BadEncodingLimitsExceeded", "2", "BadEncodingLimitsExceeded"],
            json.RootElement.GetProperty("values").EnumerateArray().Select(static one =>
                one.TryGetProperty("value", out var value)
                    ? value.GetRawText()
                    : one.GetProperty("status").GetString()));
        Assert.All(json.RootElement.GetProperty("values").EnumerateArray(), static one =>
            Assert.Equal("i=1", one.GetProperty("node").GetString()));
    }
}
