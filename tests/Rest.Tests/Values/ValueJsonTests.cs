using System.Text;
using System.Text.Json;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Json;
using Gateway.Codec.Types;
using Gateway.Rest.Nodes;
using Gateway.Rest.Values;

namespace Gateway.Rest.Tests.Values;

/// <summary>A value that is too long as JSON among others.</summary>
public sealed class ValueJsonTests
{
    private const int LimitBytes = 200_000;

    private static readonly Variant Large = new(new string('\u0001', 100_000));

    private readonly ValueStore _values = new(TimeProvider.System);

    [Fact]
    public void Write_DecodedValueThatIsTooLong_HasAStatusAndTheOthersTheirValues() => AssertReplaced(
        static (writer, value) => ValueJson.Write(writer, new NamedNode("i=1", new NodeId(1)), new DataValue(value)));

    [Fact]
    public void Write_StoredValueThatIsTooLong_HasAStatusAndTheOthersTheirValues() => AssertReplaced((writer, value) =>
    {
        var shared = _values.Make(new DataValue(value));
        ValueJson.Write(writer, new NamedNode("i=1", new NodeId(1)), shared, default);
        shared.Release();
    });

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
                one.TryGetProperty("value", out var value) ? value.GetRawText() : one.GetProperty("status").GetString()));
        Assert.All(json.RootElement.GetProperty("values").EnumerateArray(), static one =>
            Assert.Equal("i=1", one.GetProperty("node").GetString()));
    }
}
