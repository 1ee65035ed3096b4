using System.Globalization;

namespace Gateway.Tests.Telemetry;

/// <summary>KeyValue and AnyValue of OTLP.</summary>
internal static class Attributes
{
    public static IReadOnlyDictionary<string, string> Of(IEnumerable<ProtobufMessage> pairs) =>
        pairs.ToDictionary(static pair => pair.Text(1), static pair => TextOf(pair.Message(2)!));

    public static string TextOf(ProtobufMessage value) =>
        value.Has(1) ? value.Text(1)
        : value.Has(2) ? (value.Number(2) != 0).ToString()
        : value.Has(3) ? ((long)value.Number(3)).ToString(CultureInfo.InvariantCulture)
        : BitConverter.UInt64BitsToDouble(value.Number(4)).ToString(CultureInfo.InvariantCulture);
}
