using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Unicode;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;

namespace Gateway.Codec.Json;

/// <summary>What a JSON string holds: text, and the numbers and times that JSON has no type for. False: it holds none.
/// Source: Part 6 §5.4.2.3 to §5.4.2.6.</summary>
internal static class JsonScalars
{
    /// <summary>Of one byte: <c>\u0041</c>.</summary>
    private const int MostEscapedBytes = 6;

    /// <summary>Strictly: no invalid UTF-8, no lone surrogate, no NUL (R25).</summary>
    public static bool TryReadText(in Utf8JsonReader json, out string text)
    {
        if (!json.ValueIsEscaped)
            return TryTake(json.ValueSpan, out text);
        text = "";
        var buffer = ByteArrays.Rent(json.ValueSpan.Length);
        try
        {
            return TryTake(buffer.AsSpan(0, json.CopyString(buffer)), out text);
        }
        catch (InvalidOperationException)
        {
            // A lone surrogate, or invalid UTF-8 between the escapes.
            return false;
        }
        finally
        {
            ByteArrays.Return(buffer, clear: true);
        }
    }

    public static bool TryReadBytes(in Utf8JsonReader json, [NotNullWhen(true)] out byte[]? value)
    {
        try
        {
            return json.TryGetBytesFromBase64(out value);
        }
        catch (InvalidOperationException)
        {
            // An escape that is no text.
            value = null;
            return false;
        }
    }

    /// <summary>A name that is too long for all of them is not copied.</summary>
    /// <param name="json">On a member's name.</param>
    /// <param name="names">In UTF-8.</param>
    /// <param name="found">−1: none of them.</param>
    public static bool TryFindName(in Utf8JsonReader json, ReadOnlySpan<byte[]> names, out int found)
    {
        ReadOnlySpan<byte> name = json.ValueSpan;
        found = -1;
        if (json.ValueIsEscaped)
        {
            if (!MayBeOneOf(names, name.Length))
                return true;
            if (!TryReadText(json, out var text))
                return false;
            name = Encoding.UTF8.GetBytes(text);
        }

        for (var i = 0; i < names.Length && found < 0; i++)
        {
            if (name.SequenceEqual(names[i]))
                found = i;
        }

        return true;
    }

    public static bool TryReadInt64(in Utf8JsonReader json, bool isPlainString, out long value)
    {
        value = 0;
        return isPlainString && long.TryParse(
            json.ValueSpan, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value);
    }

    public static bool TryReadUInt64(in Utf8JsonReader json, bool isPlainString, out ulong value)
    {
        value = 0;
        return isPlainString &&
            ulong.TryParse(json.ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture, out value);
    }

    public static bool TryReadSpecial(in Utf8JsonReader json, out double value)
    {
        value = json.ValueTextEquals("NaN"u8) ? double.NaN
            : json.ValueTextEquals("Infinity"u8) ? double.PositiveInfinity
            : json.ValueTextEquals("-Infinity"u8) ? double.NegativeInfinity
            : 0;
        return value != 0;
    }

    /// <summary>Clamped as in UA Binary. Without an offset it is UTC.</summary>
    public static bool TryReadDateTime(in Utf8JsonReader json, out DateTime value)
    {
        value = default;
        if (!json.TryGetDateTime(out var time))
            return false;
        if (time.Kind == DateTimeKind.Local)
        {
            if (!json.TryGetDateTimeOffset(out var withOffset))
                return false;
            time = withOffset.UtcDateTime;
        }

        value = UaDateTime.FromWire(UaDateTime.ToWire(time));
        return true;
    }

    private static bool MayBeOneOf(ReadOnlySpan<byte[]> names, int escapedLength)
    {
        foreach (var name in names)
        {
            if (name.Length * MostEscapedBytes >= escapedLength)
                return true;
        }

        return false;
    }

    private static bool TryTake(ReadOnlySpan<byte> utf8, out string text)
    {
        var isValid = Utf8.IsValid(utf8) && !utf8.Contains((byte)0);
        text = isValid ? Encoding.UTF8.GetString(utf8) : "";
        return isValid;
    }
}
