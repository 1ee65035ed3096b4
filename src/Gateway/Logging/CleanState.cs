using System.Collections;
using System.Diagnostics;
using System.Globalization;
using Gateway.Codec.Text;

namespace Gateway.Host.Logging;

/// <summary>A line whose text and values are escaped and cut (R24), whichever code logged it. Numbers stay numbers,
/// times are ISO 8601. A line of a traced request has the ids of its span.</summary>
internal sealed class CleanState(string message, object? state, Activity? span = null)
    : IReadOnlyList<KeyValuePair<string, object?>>
{
    internal const int MaxLineLength = 2048;
    private const int MaxValueLength = 1024;
    private const int SpanValues = 2;

    /// <summary>Empty for a state without values.</summary>
    private readonly IReadOnlyList<KeyValuePair<string, object?>> _values =
        state as IReadOnlyList<KeyValuePair<string, object?>> ?? [];

    public int Count => _values.Count + (span is null ? 0 : SpanValues);

    public KeyValuePair<string, object?> this[int index]
    {
        get
        {
            // The last value is the template, by convention, and stays the last one.
            if (span is not null && index < SpanValues)
            {
                return index == 0
                    ? new("TraceId", span.TraceId.ToHexString())
                    : new("SpanId", span.SpanId.ToHexString());
            }

            var (key, value) = _values[span is null ? index : index - SpanValues];
            return new KeyValuePair<string, object?>(key, Clean(value));
        }
    }

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator()
    {
        for (var i = 0; i < Count; i++)
            yield return this[i];
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    public override string ToString() => span is null ? message : $"{message} (trace {span.TraceId})";

    private static object? Clean(object? value) => value switch
    {
        null or bool or byte or sbyte or short or ushort or int or uint or long or ulong or float or double or decimal
            => value,
        DateTime time => time.ToString("O", CultureInfo.InvariantCulture),
        DateTimeOffset time => time.ToString("O", CultureInfo.InvariantCulture),
        _ => PeerText.EscapeLine(Convert.ToString(value, CultureInfo.InvariantCulture), MaxValueLength),
    };
}
