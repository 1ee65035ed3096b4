using System.Buffers;
using System.Buffers.Text;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Unicode;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;

namespace Gateway.Codec.Json;

/// <summary>Reads the content of JSON strings: text, and the numbers and times that JSON has no type for. False: the
/// string does not hold one. Source: Part 6 §5.4.2.3 to §5.4.2.6.</summary>
internal static class JsonScalars
{
    /// <summary>Escaped length of one byte: <c>\u0041</c>.</summary>
    private const int MostEscapedBytes = 6;

    /// <summary>Length of a number, a time or a Guid with every character escaped.</summary>
    private const int MostTextBytes = 64 * MostEscapedBytes;

    private const int DecimalsOfTicks = 7;

    /// <summary>Length of the longest time that the runtime's reader accepts.</summary>
    private const int MostDateTimeBytes = 48;

    /// <summary><c>+hh:mm</c>.</summary>
    private const int OffsetBytes = 6;
    private const int MostOffsetHours = 14;

    private static readonly SearchValues<byte> DateTimeCharacters = SearchValues.Create("0123456789-T:.Z+"u8);

    /// <summary>Strict: no invalid UTF-8, no lone surrogate, no NUL (R25).</summary>
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
            // An escape that is no valid text.
            value = null;
            return false;
        }
    }

    /// <summary>Does not copy a name that is longer than all of them.</summary>
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

    /// <summary>From a number. JSON has one kind of number: 7.0 and 7e0 are the integer 7.</summary>
    public static bool TryGetInt64(in Utf8JsonReader json, out long value)
    {
        if (json.TryGetInt64(out value))
            return true;
        var isWhole = TryGetWhole(json, out var whole) && whole is >= long.MinValue and <= long.MaxValue;
        value = isWhole ? (long)whole : 0;
        return isWhole;
    }

    /// <summary>As <see cref="TryGetInt64"/>.</summary>
    public static bool TryGetUInt64(in Utf8JsonReader json, out ulong value)
    {
        if (json.TryGetUInt64(out value))
            return true;
        var isWhole = TryGetWhole(json, out var whole) && whole is >= 0 and <= ulong.MaxValue;
        value = isWhole ? (ulong)whole : 0;
        return isWhole;
    }

    public static bool TryReadInt64(in Utf8JsonReader json, out long value)
    {
        Span<byte> buffer = stackalloc byte[MostTextBytes];
        return long.TryParse(
            Unescaped(json, buffer), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value);
    }

    public static bool TryReadUInt64(in Utf8JsonReader json, out ulong value)
    {
        Span<byte> buffer = stackalloc byte[MostTextBytes];
        return ulong.TryParse(Unescaped(json, buffer), NumberStyles.None, CultureInfo.InvariantCulture, out value);
    }

    public static bool TryReadGuid(in Utf8JsonReader json, out Guid value)
    {
        if (!json.ValueIsEscaped)
            return json.TryGetGuid(out value);
        Span<byte> buffer = stackalloc byte[MostTextBytes];
        var text = Unescaped(json, buffer);
        return Utf8Parser.TryParse(text, out value, out var length, 'D') && length == text.Length;
    }

    public static bool TryReadSpecial(in Utf8JsonReader json, out double value)
    {
        Span<byte> buffer = stackalloc byte[MostTextBytes];
        var text = Unescaped(json, buffer);
        value = text.SequenceEqual("NaN"u8) ? double.NaN
            : text.SequenceEqual("Infinity"u8) ? double.PositiveInfinity
            : text.SequenceEqual("-Infinity"u8) ? double.NegativeInfinity
            : 0;
        return value != 0;
    }

    /// <summary>Clamped as in UA Binary. Without an offset it is UTC. Surplus decimals of a second are cut off, however
    /// many there are.</summary>
    public static bool TryReadDateTime(in Utf8JsonReader json, out DateTime value)
    {
        if (!json.ValueIsEscaped && TryGetUtc(json, out value))
            return true;
        value = default;
        Span<byte> buffer = stackalloc byte[MostTextBytes];
        var text = Unescaped(json, buffer);
        var fraction = text.IndexOf((byte)'.') + 1;
        var decimals = fraction == 0 ? 0 : text[fraction..].IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        if (decimals < 0)
            decimals = text.Length - fraction;
        var cut = Math.Max(0, decimals - DecimalsOfTicks);
        Span<byte> quoted = stackalloc byte[MostDateTimeBytes + 2];
        if (text.Length - cut > MostDateTimeBytes || text.ContainsAnyExcept(DateTimeCharacters))
            return false;
        var kept = cut == 0 ? text.Length : fraction + DecimalsOfTicks;
        quoted[0] = (byte)'"';
        text[..kept].CopyTo(quoted[1..]);
        text[(kept + cut)..].CopyTo(quoted[(kept + 1)..]);
        quoted[text.Length - cut + 1] = (byte)'"';
        quoted = quoted[..(text.Length - cut + 2)];
        var plain = new Utf8JsonReader(quoted);
        return plain.Read() && (TryGetUtc(plain, out value) || TryClamp(quoted, out value));
    }

    /// <summary>A time that only its offset takes out of the range of times becomes the nearest one. Source: Part 6
    /// §5.1.4.</summary>
    /// <param name="quoted">In quotes; not used again.</param>
    /// <param name="value">Valid if true.</param>
    private static bool TryClamp(Span<byte> quoted, out DateTime value)
    {
        value = default;
        if (quoted.Length <= OffsetBytes + 2)
            return false;
        var offset = quoted[^(OffsetBytes + 1)..^1];
        var sign = offset[0];
        if (sign is not ((byte)'+' or (byte)'-') || offset[3] != ':' ||
            !Utf8Parser.TryParse(offset[1..3], out byte hours, out var digits) || digits != 2 ||
            hours > MostOffsetHours ||
            !Utf8Parser.TryParse(offset[4..], out byte minutes, out digits) || digits != 2 || minutes > 59)
        {
            return false;
        }

        offset[0] = (byte)'"';
        var local = new Utf8JsonReader(quoted[..^OffsetBytes]);
        if (!local.Read() || !local.TryGetDateTime(out var time) || time.Year is not (1 or 9999))
            return false;
        value = UaDateTime.FromWire(UaDateTime.ToWire(sign == '-' ? DateTime.MaxValue : DateTime.MinValue));
        return true;
    }

    private static bool TryGetUtc(in Utf8JsonReader json, out DateTime value)
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

    private static bool TryGetWhole(in Utf8JsonReader json, out decimal value) =>
        json.TryGetDecimal(out value) && decimal.IsInteger(value);

    /// <summary>The text of a string; empty if it is no valid text, or escaped and longer than the buffer.</summary>
    private static ReadOnlySpan<byte> Unescaped(in Utf8JsonReader json, Span<byte> buffer)
    {
        if (!json.ValueIsEscaped)
            return json.ValueSpan;
        if (json.ValueSpan.Length > buffer.Length)
            return default;
        try
        {
            return buffer[..json.CopyString(buffer)];
        }
        catch (InvalidOperationException)
        {
            // A lone surrogate, or invalid UTF-8 between the escapes.
            return default;
        }
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
