using System.Globalization;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Rest.Conversion;

/// <summary>The numbers of an enumeration by their names: <c>Running</c>, <c>Running_0</c>, <c>0</c>. To find one costs
/// the same, however many there are (R44). Owner: a request.</summary>
internal sealed class EnumTable(EnumField[] fields)
{
    private const int MaxListed = 32;

    private Dictionary<string, int>? _numbers;

    public string InWords =>
        "one of " + string.Join(", ", fields.Take(MaxListed).Select(static one => string.Create(
            CultureInfo.InvariantCulture, $"{one.Name} ({one.Value})"))) +
        (fields.Length > MaxListed ? ", …" : "");

    /// <summary>One, an array or a matrix of them.</summary>
    public Variant ReadAll(ref UaJsonReader reader) => reader.ReadBareNumbers(Read);

    /// <summary>The number by its name, or as it is.</summary>
    private int Read(ref UaJsonReader reader)
    {
        if (reader.IsNumber)
            return reader.ReadInt32();
        if (reader.IsString && TryFind(reader.ReadString() ?? "", out var number))
            return number;
        reader.Expected(InWords);
        return 0;
    }

    private bool TryFind(string text, out int number)
    {
        var numbers = _numbers ??= NumbersOf(fields);
        if (numbers.TryGetValue(text, out number))
            return true;
        var end = text.LastIndexOf('_');
        if (end >= 0 && numbers.TryGetValue(text[..end], out number) && IsNumber(text.AsSpan(end + 1), number))
            return true;
        return int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number);
    }

    private static bool IsNumber(ReadOnlySpan<char> text, int number)
    {
        Span<char> expected = stackalloc char[11];
        return number.TryFormat(expected, out var length, provider: CultureInfo.InvariantCulture) &&
            text.SequenceEqual(expected[..length]);
    }

    /// <summary>Of fields with the same name the first counts.</summary>
    private static Dictionary<string, int> NumbersOf(EnumField[] fields)
    {
        var numbers = new Dictionary<string, int>(fields.Length);
        foreach (var field in fields)
            numbers.TryAdd(field.Name ?? "", (int)field.Value);
        return numbers;
    }
}
