using System.Buffers;
using System.Globalization;
using System.Text;

namespace Gateway.Host.Http;

/// <summary>
/// Bytes of the Prometheus text format 0.0.4 and of OpenMetrics 1.0. A family is
/// <c># HELP name text | # TYPE name type | # UNIT name unit</c> (the last in OpenMetrics alone), then lines
/// <c>name[suffix]{label="value",…} number</c>. They differ in the name of a counter's family, which OpenMetrics writes
/// without <c>_total</c>, and in quotes within a help text. Not thread-safe.
/// </summary>
internal sealed class ExpositionWriter(IBufferWriter<byte> output, ExpositionFormat format)
{
    private const int MaxNumberBytes = 32;

    private bool IsOpenMetrics => format == ExpositionFormat.OpenMetrics;

    /// <param name="family">Without <c>_total</c>.</param>
    /// <param name="type"><c>counter</c>, <c>gauge</c> or <c>histogram</c>.</param>
    public void Header(string family, string type, string unit, string help)
    {
        var name = type == "counter" && !IsOpenMetrics ? family + "_total" : family;
        if (help.Length > 0)
            Comment("# HELP "u8, name, help, IsOpenMetrics);
        Comment("# TYPE "u8, name, type, escapeQuotes: false);
        if (unit.Length > 0 && IsOpenMetrics)
            Comment("# UNIT "u8, name, unit, escapeQuotes: false);
    }

    /// <param name="labels">As <see cref="Labels"/> made them.</param>
    /// <param name="bound">The upper bound of a bucket, null for all other lines.</param>
    public void Sample(string family, ReadOnlySpan<byte> suffix, string labels, double? bound = null)
    {
        Text(family);
        output.Write(suffix);
        if (labels.Length > 0 || bound is not null)
        {
            output.Write("{"u8);
            Text(labels);
            if (bound is { } le)
            {
                output.Write(labels.Length > 0 ? ",le=\""u8 : "le=\""u8);
                Bound(le);
                output.Write("\""u8);
            }
            output.Write("}"u8);
        }
        output.Write(" "u8);
    }

    public void Value(long value)
    {
        value.TryFormat(output.GetSpan(MaxNumberBytes), out var written, default, CultureInfo.InvariantCulture);
        output.Advance(written);
        output.Write("\n"u8);
    }

    public void Value(double value)
    {
        Number(value);
        output.Write("\n"u8);
    }

    public void End()
    {
        if (IsOpenMetrics)
            output.Write("# EOF\n"u8);
    }

    /// <summary><c>name="value",…</c>; a tag without a value is no label.</summary>
    public static string Labels(in OpenTelemetry.ReadOnlyTagCollection tags)
    {
        if (tags.Count == 0)
            return "";
        var text = new StringBuilder();
        foreach (var (key, value) in tags)
        {
            var written = value is bool flag
                ? flag ? "true" : "false"
                : Convert.ToString(value, CultureInfo.InvariantCulture);
            if (string.IsNullOrEmpty(written))
                continue;
            text.Append(text.Length > 0 ? "," : "").Append(ExpositionNames.Label(key)).Append("=\"");
            text.Append(Escape(written, escapeQuotes: true)).Append('"');
        }
        return text.ToString();
    }

    private static string Escape(string text, bool escapeQuotes)
    {
        text = text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\n", "\\n", StringComparison.Ordinal);
        return escapeQuotes ? text.Replace("\"", "\\\"", StringComparison.Ordinal) : text;
    }

    private void Comment(ReadOnlySpan<byte> keyword, string name, string text, bool escapeQuotes)
    {
        output.Write(keyword);
        Text(name);
        output.Write(" "u8);
        Text(Escape(text, escapeQuotes));
        output.Write("\n"u8);
    }

    /// <summary>Always a fraction, in both formats: otherwise one bucket were two series to a Prometheus that changes
    /// from one to the other.</summary>
    private void Bound(double bound)
    {
        Number(bound);
        if (double.IsInteger(bound) && Math.Abs(bound) < 1e15)
            output.Write(".0"u8);
    }

    private void Number(double value)
    {
        if (double.IsInfinity(value))
        {
            output.Write(value > 0 ? "+Inf"u8 : "-Inf"u8);
            return;
        }
        value.TryFormat(output.GetSpan(MaxNumberBytes), out var written, default, CultureInfo.InvariantCulture);
        output.Advance(written);
    }

    private void Text(string text) => Encoding.UTF8.GetBytes(text, output);
}
