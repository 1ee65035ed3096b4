using System.Globalization;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Standard;

/// <summary>Walks a line of the table. Errors: FormatException, as for any build that is broken.</summary>
internal ref struct FactsScanner(ReadOnlySpan<char> line)
{
    private ReadOnlySpan<char> _rest = line;

    public readonly bool AtEnd => _rest.IsEmpty;

    public readonly char Peek => _rest.IsEmpty ? '\0' : _rest[0];

    public bool TryTake(char expected)
    {
        if (Peek != expected)
            return false;
        _rest = _rest[1..];
        return true;
    }

    public void Take(char expected)
    {
        if (!TryTake(expected))
            throw new FormatException($"'{expected}' expected before '{_rest}'");
    }

    public char TakeAny()
    {
        var first = Peek;
        _rest = _rest[1..];
        return first;
    }

    /// <summary>A signed whole number.</summary>
    public long TakeNumber()
    {
        var length = Peek == '-' ? 1 : 0;
        while (length < _rest.Length && char.IsAsciiDigit(_rest[length]))
            length++;
        var number = long.Parse(_rest[..length], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture);
        _rest = _rest[length..];
        return number;
    }

    public uint TakeId() => (uint)TakeNumber();

    /// <summary>Up to the next of the characters or the end.</summary>
    public ReadOnlySpan<char> TakeUntil(ReadOnlySpan<char> ends)
    {
        var length = _rest.IndexOfAny(ends);
        var taken = length < 0 ? _rest : _rest[..length];
        _rest = _rest[taken.Length..];
        return taken;
    }

    /// <summary>In quotes, with \" \\ \n \t; <c>~</c> stands for null.</summary>
    public string? TakeText()
    {
        if (TryTake('~'))
            return null;
        Take('"');
        var end = 0;
        while (_rest[end] != '"')
            end += _rest[end] == '\\' ? 2 : 1;
        var text = _rest[..end].ToString();
        _rest = _rest[(end + 1)..];
        return text.Contains('\\', StringComparison.Ordinal) ? Unescape(text) : text;
    }

    /// <summary>A text, and its locale after @ where it has one.</summary>
    public LocalizedText TakeLocalizedText()
    {
        var text = TakeText();
        return new LocalizedText(text, TryTake('@') ? TakeUntil(" \t").ToString() : null);
    }

    /// <summary>Numbers with commas between.</summary>
    public uint[] TakeNumbers()
    {
        var numbers = new List<uint> { TakeId() };
        while (TryTake(','))
            numbers.Add(TakeId());
        return [.. numbers];
    }

    private static string Unescape(string text)
    {
        var plain = new System.Text.StringBuilder(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            plain.Append(text[i] != '\\' ? text[i] : text[++i] switch
            {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                var other => other,
            });
        }

        return plain.ToString();
    }
}
