using System.Collections;
using System.Globalization;
using System.Text;
using Gateway.Codec.Types;

namespace Gateway.Server.Audit;

/// <summary>One line of the audit log: fields for JSON readers, a sentence of them for readers of text. Empty fields
/// are left out.</summary>
internal sealed class AuditLine : IReadOnlyList<KeyValuePair<string, object?>>
{
    private readonly List<KeyValuePair<string, object?>> _fields = [];
    private readonly StringBuilder _text;

    public AuditLine(AuditEvent kind, StatusCode status)
    {
        _fields.Add(new("Kind", kind.ToString()));
        _fields.Add(new("Status", status.ToString()));
        _text = new StringBuilder($"Audit {kind}: {status}");
    }

    /// <summary>Stands for lines that were left out.</summary>
    public AuditLine(AuditEvent kind, long dropped)
    {
        _fields.Add(new("Kind", kind.ToString()));
        _fields.Add(new("Dropped", dropped));
        _text = new StringBuilder($"Audit {kind}: {dropped} more of this kind were counted and not listed");
    }

    /// <summary>By convention the last entry; the same for all lines of one kind.</summary>
    private KeyValuePair<string, object?> Template => new("{OriginalFormat}", "Audit " + _fields[0].Value);

    public int Count => _fields.Count + 1;

    public KeyValuePair<string, object?> this[int index] => index < _fields.Count ? _fields[index] : Template;

    public AuditLine With(string field, string words, object? value)
    {
        if (value is null or "")
            return this;
        _fields.Add(new(field, value));
        _text.Append(CultureInfo.InvariantCulture, $" {words} {value}");
        return this;
    }

    public AuditLine Quoted(string field, string words, string value)
    {
        if (value.Length == 0)
            return this;
        _fields.Add(new(field, value));
        _text.Append(CultureInfo.InvariantCulture, $" {words} \"{value}\"");
        return this;
    }

    public AuditLine Detail(string detail)
    {
        if (detail.Length == 0)
            return this;
        _fields.Add(new("Detail", detail));
        _text.Append(": ").Append(detail);
        return this;
    }

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator()
    {
        for (var i = 0; i < Count; i++)
            yield return this[i];
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    public override string ToString() => _text.ToString();
}
