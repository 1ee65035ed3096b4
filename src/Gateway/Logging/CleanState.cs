using System.Collections;
using System.Globalization;
using Gateway.Codec.Text;

namespace Gateway.Host.Logging;

/// <summary>A line whose text and values are escaped and cut (R24), whichever code logged it. Numbers stay numbers,
/// times are ISO 8601.</summary>
internal sealed class CleanState(string message, object? state) : IReadOnlyList<KeyValuePair<string, object?>>
{
    internal const int MaxLineLength = 2048;
    private const int MaxValueLength = 1024;

    /// <summary>Empty for a state without values.</summary>
    private readonly IReadOnlyList<KeyValuePair<string, object?>> _values =
        state as IReadOnlyList<KeyValuePair<string, object?>> ?? [];

    public int Count => _values.Count;

    public KeyValuePair<string, object?> this[int index]
    {
        get
        {
            var (key, value) = _values[index];
            return new KeyValuePair<string, object?>(key, Clean(value));
        }
    }

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator()
    {
        for (var i = 0; i < Count; i++)
            yield return this[i];
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    public override string ToString() => message;

    private static object? Clean(object? value) => value switch
    {
        null or bool or byte or sbyte or short or ushort or int or uint or long or ulong or float or double or decimal
            => value,
        DateTime time => time.ToString("O", CultureInfo.InvariantCulture),
        DateTimeOffset time => time.ToString("O", CultureInfo.InvariantCulture),
        _ => PeerText.EscapeLine(Convert.ToString(value, CultureInfo.InvariantCulture), MaxValueLength),
    };
}
